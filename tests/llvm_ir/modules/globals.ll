source_filename = "globals \22of\22 \E2\82\AC every kind"
target triple = "x86_64-unknown-linux-gnu"

module asm ".globl \22x\22"
module asm "y:"

%"needs quotes" = type { ptr, %list, target("spirv.Image", void, 1, 2) }
%list = type { ptr, <{ i8, %list2 }>, [4 x <2 x half>] }
%list2 = type { ptr, x86_fp80, fp128, ppc_fp128, bfloat }
%opaque = type opaque

$group = comdat any

$"other one" = comdat largest

$own = comdat nodeduplicate

@a = external global i32
@b = private unnamed_addr constant [6 x i8] c"a\0A\22\\\FF\00", align 1
@c = internal thread_local(initialexec) global i64 -9223372036854775808, section ".data.x", align 16
@d = dllexport local_unnamed_addr addrspace(3) externally_initialized global float 0x7FF0000000000000
@e = weak_odr dso_local global [3 x double] [double 1.000000e-01, double 0x3FE6666666666666, double 4.940660e-324], comdat($group)
@f = weak global %"needs quotes" zeroinitializer, comdat($"other one"), !type !0, !type !1
@own = linkonce_odr global { i1, half, bfloat, x86_fp80, fp128, ppc_fp128 } { i1 true, half 0xH3C00, bfloat 0xR3F80, x86_fp80 0xK3FFF8000000000000000, fp128 0xL00000000000000003FFF000000000000, ppc_fp128 0xM3FF00000000000000000000000000000 }, code_model "large", comdat
@g = global ptr getelementptr inbounds nuw ([3 x double], ptr @e, i64 0, i64 1), no_sanitize_address, sanitize_memtag
@h = global ptr getelementptr inrange(-16, 16) (i8, ptr @e, i64 8)
@i = global i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @c to i64))
@j = global ptr blockaddress(@"with blocks", %there)
@k = global ptr blockaddress(@"with blocks", %1)
@l = global ptr dso_local_equivalent @ext
@m = global ptr no_cfi @ext
@n = global ptr ptrauth (ptr @a, i32 2, i64 1234, ptr @b)
@o = global <4 x i32> splat (i32 7) #0
@p = global { [0 x i8], <2 x ptr>, ptr } { [0 x i8] zeroinitializer, <2 x ptr> <ptr null, ptr @a>, ptr undef }, partition "part"
@q = global [2 x { i8, ptr }] [{ i8, ptr } { i8 1, ptr @a }, { i8, ptr } poison]
@0 = global ptr addrspacecast (ptr addrspace(3) @d to ptr)
@1 = global ptr @0
@r = external hidden global %opaque
@s = extern_weak protected global i8
@a2 = global i32 1

@al = internal alias i32, ptr @a2
@al2 = weak unnamed_addr alias i8, getelementptr (i8, ptr @a2, i64 1), partition "part"

@fn = ifunc void (), ptr @resolver

declare extern_weak void @ext()

; Function Attrs: allockind("alloc,zeroed") allocsize(1) memory(argmem: read, inaccessiblemem: write)
declare !dbg !4 i32 @"\01odd name"(ptr noundef captures(address, ret: address, provenance), i32 range(i32 0, 10), ptr initializes((0, 4), (8, 12)), float nofpclass(nan inf), ...) local_unnamed_addr #1

; Function Attrs: nounwind alignstack(16) uwtable(sync) vscale_range(1,16)
define internal fastcc noundef ptr @resolver() unnamed_addr #2 section "text" comdat($group) align 32 prefix i32 123 prologue i8 -112 {
  ret ptr null
}

; Function Attrs: memory(read, argmem: none) uwtable
define void @"with blocks"(ptr %where, ptr sret(%list) align 4 %"a b") #3 {
  indirectbr ptr %where, [label %there, label %1]

1:                                                ; preds = %0
  ret void

there:                                            ; preds = %0
  ret void
}

attributes #0 = { "bss-section"="x" }
attributes #1 = { allockind("alloc,zeroed") allocsize(1) memory(argmem: read, inaccessiblemem: write) "alloc-family"="malloc" }
attributes #2 = { nounwind alignstack=16 uwtable(sync) vscale_range(1,16) "no-value" "with"="\01x" }
attributes #3 = { memory(read, argmem: none) uwtable }

!llvm.module.flags = !{!2}
!named\20one = !{!0, !3}

!0 = !{i64 0, !"type"}
!1 = !{i64 8, !"other\00"}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !{!3, null, ptr @a}
!4 = !DISubprogram(name: "odd", scope: null, spFlags: 0)
