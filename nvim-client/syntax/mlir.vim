" MLIR. Small: what the words mean is for the server to say.
if exists('b:current_syntax')
  finish
endif

syntax match mlirOperation /\v%(^|\=|\{)\s*\zs%(\h\w*%(\.\h[0-9A-Za-z_$]*)+|module|func|return|call|call_indirect|unrealized_conversion_cast)>/
syntax match mlirOperation /\v%(^|\=)\s*\zs"\h[0-9A-Za-z_.$]*"\ze\s*\(/
syntax match mlirKeyword /\v<%(to|step|iter_args|else|do|attributes|ceildiv|floordiv|mod|symbol|into|from)>/
syntax match mlirModifier /\v<%(private|public|nested|internal|external)>/
syntax match mlirConstant /\v<%(true|false|unit|dense|dense_resource|sparse|array|affine_map|affine_set|strided|offset|loc)>/
syntax match mlirType /\v<%(memref|tensor|vector|complex|tuple)>\ze\</
syntax match mlirType /\v%(<|[0-9?*]x)@<=%([su]?i[0-9]+|index|none|bf16|tf32|f16|f32|f64|f80|f128|f[468]E[0-9]M[0-9]%(FN|FNU|FNUZ|B11FNUZ)?)>/
syntax match mlirType /\v\![A-Za-z_][0-9A-Za-z_.$-]*/
syntax match mlirNumber /\v[0-9A-Za-z_$.%#@]@<!-?%(0x\x+|\d+%(\.\d*%([eE][-+]?\d+)?)?)/
syntax match mlirAttribute /\v#[A-Za-z_][0-9A-Za-z_.$-]*/
syntax match mlirValue /\v\%[0-9A-Za-z_.$-]+%(#\d+)?/
syntax match mlirBlock /\v\^[0-9A-Za-z_.$-]+/
syntax match mlirSymbol /\v\@%([0-9A-Za-z_.$-]+|"[^"]*")/
syntax region mlirString start=/"/ skip=/\\"/ end=/"/ oneline contains=mlirEscape
syntax match mlirEscape /\v\\%(["\\nt]|\x\x)/ contained
syntax match mlirComment /\/\/.*$/ contains=@Spell

highlight default link mlirOperation Statement
highlight default link mlirKeyword Keyword
highlight default link mlirModifier StorageClass
highlight default link mlirConstant Constant
highlight default link mlirType Type
highlight default link mlirNumber Number
highlight default link mlirAttribute PreProc
highlight default link mlirValue Identifier
highlight default link mlirBlock Label
highlight default link mlirSymbol Function
highlight default link mlirString String
highlight default link mlirEscape SpecialChar
highlight default link mlirComment Comment

let b:current_syntax = 'mlir'
