" LLVM IR: previews and files.
if exists('b:current_syntax')
  finish
endif

syntax match llvmOperation /\v%(^\s+|\=\s+)@<=\l\w*>/
syntax match llvmDefinition /\v^%(define|declare|target|source_filename|attributes)>/
syntax match llvmType /\v<%(i\d+|void|half|bfloat|float|double|fp128|x86_fp80|ptr|label|metadata|token)>/
syntax match llvmConstant /\v<%(true|false|null|undef|poison|zeroinitializer)>/
syntax match llvmNumber /\v[0-9A-Za-z_$.%#@]@<!-?%(0x[HKLMR]?\x+|\d+%(\.\d*%([eE][-+]?\d+)?)?)>/
syntax match llvmValue /\v\%%([0-9A-Za-z_.$-]+|"[^"]*")/
syntax match llvmSymbol /\v\@%([0-9A-Za-z_.$-]+|"[^"]*")/
syntax match llvmAttribute /\v[!#][0-9A-Za-z_.$-]*/
syntax match llvmLabel /\v^[0-9A-Za-z_.$-]+\ze:/
syntax region llvmString start=/"/ end=/"/ oneline
syntax match llvmComment /;.*$/

highlight default link llvmOperation Statement
highlight default link llvmDefinition Keyword
highlight default link llvmType Type
highlight default link llvmConstant Constant
highlight default link llvmNumber Number
highlight default link llvmValue Identifier
highlight default link llvmSymbol Function
highlight default link llvmAttribute PreProc
highlight default link llvmLabel Label
highlight default link llvmString String
highlight default link llvmComment Comment

let b:current_syntax = 'llvm'
