source_filename = "every instruction"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-p:64:64-i128:128-P0"
target triple = "x86_64-unknown-linux-gnu"

%0 = type <{ i8, i64 }>
%pair = type { i32, %node }
%node = type { ptr, [2 x i8] }

@counter = global i32 0, align 4
@packed = global %0 <{ i8 1, i64 -2 }>

declare i32 @personality(...)

declare void @callee(i32, ...)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare token @llvm.coro.id(i32, ptr readnone, ptr readonly captures(none), ptr) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fma.f32(float, float, float) #1

define i32 @arithmetic(i32 %a, i32 %b, float %f, <4 x i1> %mask) {
entry:
  %sum = add nuw nsw i32 %a, %b
  %0 = sub nsw i32 %sum, 7
  %1 = mul i32 %0, -3
  %2 = udiv exact i32 %1, 4
  %3 = sdiv i32 %2, %b
  %4 = urem i32 %3, %b
  %5 = srem i32 %4, %b
  %6 = shl nuw i32 %5, 1
  %7 = lshr exact i32 %6, 1
  %8 = ashr i32 %7, 1
  %9 = and i32 %8, 255
  %10 = or disjoint i32 %9, 256
  %11 = xor i32 %10, -1
  %12 = fneg nnan float %f
  %13 = fadd fast float %12, 1.000000e+00
  %14 = fsub reassoc nsz float %13, 0x7FF8000000000000
  %15 = fmul contract afn float %14, 0x3FD5555560000000
  %16 = fdiv arcp float %15, -0.000000e+00
  %17 = frem float %16, 2.500000e-01
  %18 = icmp samesign ult i32 %11, 3
  %19 = fcmp ninf ole float %17, %f
  %20 = select nnan i1 %19, float %17, float %f
  %21 = select <4 x i1> %mask, <4 x i32> splat (i32 3), <4 x i32> <i32 1, i32 poison, i32 2, i32 undef>
  %22 = freeze i32 %11
  %23 = trunc nuw nsw i32 %22 to i8
  %24 = zext nneg i8 %23 to i64
  %25 = sext i8 %23 to i64
  %26 = fptrunc float %20 to half
  %27 = fpext half %26 to double
  %28 = fptosi double %27 to i32
  %29 = fptoui double %27 to i32
  %30 = uitofp nneg i32 %28 to float
  %31 = sitofp i32 %29 to float
  %32 = inttoptr i64 %24 to ptr
  %33 = ptrtoint ptr %32 to i64
  %34 = ptrtoaddr ptr %32 to i64
  %35 = bitcast i64 %33 to double
  %36 = addrspacecast ptr %32 to ptr addrspace(3)
  ret i32 %22
}

define <2 x i32> @vectors(<4 x i32> %v, <vscale x 4 x i32> %s, { i32, [3 x i8] } %a) {
  %e = extractelement <4 x i32> %v, i64 2
  %i = insertelement <4 x i32> %v, i32 %e, i32 0
  %x = shufflevector <4 x i32> %i, <4 x i32> poison, <2 x i32> <i32 1, i32 poison>
  %y = shufflevector <vscale x 4 x i32> %s, <vscale x 4 x i32> poison, <vscale x 4 x i32> zeroinitializer
  %f = extractvalue { i32, [3 x i8] } %a, 1, 2
  %g = insertvalue { i32, [3 x i8] } %a, i32 5, 0
  ret <2 x i32> %x
}

; Function Attrs: nounwind
define void @memory(ptr %p, ptr %list, i64 %n) #2 {
  %a = alloca i32, align 4
  %b = alloca %pair, i64 %n, align 8
  %c = alloca i8, align 1, addrspace(5)
  %d = load i32, ptr %p, align 4
  %e = load volatile float, ptr %p, align 4
  %f = load atomic i64, ptr %p syncscope("agent") acquire, align 8
  store i32 %d, ptr %a, align 4
  store atomic volatile i32 1, ptr %p seq_cst, align 4
  fence syncscope("singlethread") acq_rel
  %g = cmpxchg weak volatile ptr %p, i32 0, i32 1 acq_rel monotonic, align 4
  %h = atomicrmw uinc_wrap ptr %p, i32 9 monotonic, align 4
  %i = getelementptr inbounds nuw %pair, ptr %p, i64 %n, i32 1, i32 0
  %j = getelementptr nusw i8, ptr %p, <2 x i64> <i64 1, i64 2>
  %k = va_arg ptr %list, double
  call void (i32, ...) @callee(i32 1, double %k), !srcloc !0
  ret void
}

define void @flow(i32 %n, ptr %where, i1 %c) personality ptr @personality {
entry:
  switch i32 %n, label %other [
    i32 1, label %loop
    i32 2, label %loop
  ]

loop:                                             ; preds = %loop, %entry, %entry
  %i = phi i32 [ 0, %entry ], [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  br i1 %c, label %loop, label %other

other:                                            ; preds = %loop, %entry
  indirectbr ptr %where, [label %jumps, label %0]

jumps:                                            ; preds = %other
  %r = invoke fastcc i32 @arithmetic(i32 1, i32 2, float 0.000000e+00, <4 x i1> zeroinitializer)
          to label %0 unwind label %pad

pad:                                              ; preds = %jumps
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [1 x ptr] [ptr @counter]
  resume { ptr, i32 } %l

0:                                                ; preds = %jumps, %other
  callbr void asm sideeffect "jmp ${0:l}", "!i"()
          to label %1 [label %2]

1:                                                ; preds = %0
  unreachable

2:                                                ; preds = %0
  ret void
}

define void @funclets() personality ptr @personality {
  invoke void (i32, ...) @callee(i32 0)
          to label %done unwind label %switch

switch:                                           ; preds = %0
  %s = catchswitch within none [label %handler] unwind label %cleanup

handler:                                          ; preds = %switch
  %p = catchpad within %s [ptr null, i32 64, ptr null]
  call void (i32, ...) @callee(i32 3) [ "funclet"(token %p) ]
  catchret from %p to label %done

cleanup:                                          ; preds = %switch
  %q = cleanuppad within none []
  cleanupret from %q unwind to caller

done:                                             ; preds = %handler, %0
  ret void
}

define void @calls(ptr %f, ptr byval(%pair) align 8 %x, ...) gc "statepoint-example" {
  %t = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)
  %r = tail call fast float @llvm.fma.f32(float 1.000000e+00, float 2.000000e+00, float 3.000000e+00) #3
  %s = notail call noundef zeroext i8 %f(ptr noalias nonnull align 16 dereferenceable(8) %x, i32 inreg 5) [ "deopt"(i32 1, ptr %f), "tag"() ]
  call void asm sideeffect alignstack inteldialect "mov $0, 1", "r"(i32 1) #2
  musttail call void (ptr, ptr, ...) @calls(ptr %f, ptr byval(%pair) align 8 %x, ...)
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind "frame-pointer"="all" }
attributes #3 = { memory(none) }

!0 = !{i32 5}
