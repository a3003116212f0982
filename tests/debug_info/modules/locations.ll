source_filename = "LLVMDialectModule"

declare void @x()

define void @f() !dbg !3 {
  call void @x(), !dbg !4
  call void @x(), !dbg !5
  call void @x(), !dbg !6
  call void @x(), !dbg !7
  call void @x(), !dbg !8
  call void @x(), !dbg !8
  call void @x()
  call void @x(), !dbg !9
  call void @x(), !dbg !9
  call void @x(), !dbg !10
  call void @x(), !dbg !5
  call void @x()
  call void @x(), !dbg !11
  call void @x(), !dbg !11
  call void @x(), !dbg !11
  call void @x(), !dbg !9
  call void @x(), !dbg !12
  call void @x(), !dbg !14
  call void @x(), !dbg !15
  call void @x(), !dbg !18
  call void @x(), !dbg !19
  call void @x(), !dbg !20
  call void @x(), !dbg !19
  call void @x(), !dbg !23
  call void @x(), !dbg !11
  call void @x(), !dbg !11
  call void @x(), !dbg !5
  call void @x(), !dbg !25
  call void @x(), !dbg !27
  call void @x()
  call void @x()
  call void @x(), !dbg !28
  call void @x(), !dbg !30
  call void @x(), !dbg !31
  call void @x(), !dbg !32
  call void @x(), !dbg !29
  call void @x(), !dbg !29
  call void @x(), !dbg !4
  call void @x(), !dbg !5
  ret void, !dbg !33
}

define void @g() {
  call void @x()
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "MLIR", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "foo.mlir", directory: "/test/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, scopeLine: 3, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!4 = !DILocation(line: 1, scope: !3)
!5 = !DILocation(line: 0, scope: !3)
!6 = !DILocation(line: 7, scope: !3)
!7 = !DILocation(line: 22, column: 3, scope: !3)
!8 = !DILocation(line: 1, column: 2, scope: !3)
!9 = !DILocation(line: 4, column: 5, scope: !3)
!10 = !DILocation(line: 4, scope: !3)
!11 = !DILocation(line: 3, scope: !3)
!12 = !DILocation(line: 4, scope: !13)
!13 = distinct !DILexicalBlock(scope: !3, file: !1, line: 7, column: 8)
!14 = !DILocation(line: 0, scope: !13)
!15 = !DILocation(line: 0, scope: !16)
!16 = distinct !DILexicalBlock(scope: !3, file: !17, line: 11, column: 12)
!17 = !DIFile(filename: "c.mlir", directory: "/test/")
!18 = !DILocation(line: 4, column: 6, scope: !16)
!19 = !DILocation(line: 7, column: 8, scope: !13)
!20 = !DILocation(line: 4, column: 6, scope: !21)
!21 = distinct !DILexicalBlockFile(scope: !13, file: !22, discriminator: 1)
!22 = !DIFile(filename: "b.mlir", directory: "/test/")
!23 = !DILocation(line: 4, column: 6, scope: !24)
!24 = distinct !DILexicalBlockFile(scope: !3, file: !22, discriminator: 2)
!25 = !DILocation(line: 4, column: 5, scope: !26, inlinedAt: !27)
!26 = distinct !DISubprogram(name: "g", scope: !22, file: !22, line: 5, scopeLine: 6, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!27 = !DILocation(line: 5, column: 5, scope: !3)
!28 = !DILocation(line: 5, column: 5, scope: !26, inlinedAt: !29)
!29 = !DILocation(line: 1, column: 1, scope: !3)
!30 = !DILocation(line: 5, scope: !26, inlinedAt: !29)
!31 = !DILocation(line: 5, scope: !26, inlinedAt: !4)
!32 = !DILocation(line: 5, scope: !26, inlinedAt: !11)
!33 = !DILocation(line: 58, column: 3, scope: !3)
