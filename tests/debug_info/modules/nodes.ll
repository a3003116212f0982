source_filename = "LLVMDialectModule"

declare !dbg !5 void @x()

declare void @y()

define void @f() !dbg !14 {
    #dbg_value(i32 poison, !34, !DIExpression(), !42)
    #dbg_value(i32 poison, !43, !DIExpression(DW_OP_deref, DW_OP_LLVM_convert, 4, DW_ATE_signed, DW_OP_LLVM_fragment, 0, 1), !47)
    #dbg_label(!48, !47)
    #dbg_value(i32 poison, !49, !DIExpression(), !52)
    #dbg_value(i32 poison, !54, !DIExpression(), !56)
    #dbg_value(i32 poison, !57, !DIExpression(), !58)
  call void @x(), !dbg !59
  ret void, !dbg !60
}

define void @g() !dbg !61 {
    #dbg_value(i32 poison, !62, !DIExpression(), !63)
  call void @x(), !dbg !64
  ret void, !dbg !65
}

!llvm.dbg.cu = !{!0, !2}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, producer: "MLIR", isOptimized: true, runtimeVersion: 0, splitDebugFilename: "x.dwo", emissionKind: LineTablesOnly, nameTableKind: Apple)
!1 = !DIFile(filename: "foo.mlir", directory: "/test/")
!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !3, isOptimized: false, runtimeVersion: 0, emissionKind: NoDebug, nameTableKind: None)
!3 = !DIFile(filename: "a\00\22\\", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !DISubprogram(name: "decl", linkageName: "_d", scope: !6, file: !1, line: 3, type: !10, virtualIndex: 0, spFlags: DISPFlagVirtual | DISPFlagOptimized | DISPFlagPure, annotations: !12)
!6 = distinct !DICompositeType(tag: DW_TAG_union_type, name: "u", scope: !7, file: !1, line: 5, flags: DIFlagIndirectVirtualBase | DIFlagArtificial)
!7 = !DINamespace(scope: !8)
!8 = !DINamespace(name: "n", scope: !9, exportSymbols: true)
!9 = !DIModule(scope: !0, name: "m", configMacros: "a", includePath: "b", apinotes: "c", file: !1, line: 4, isDecl: true)
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !{!13, !13}
!13 = !{!"foo", !"bar"}
!14 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, type: !15, scopeLine: 3, spFlags: DISPFlagDefinition | DISPFlagOptimized | DISPFlagRecursive | DISPFlagMainSubprogram, unit: !0, retainedNodes: !29)
!15 = !DISubroutineType(cc: DW_CC_program, types: !16)
!16 = !{null, !17, !19, !23, !26, !6, !27, !28, null}
!17 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, extraData: !18, dwarfAddressSpace: 0)
!18 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!19 = !DICompositeType(tag: DW_TAG_array_type, baseType: !18, size: 3, align: 4, flags: DIFlagPublic | DIFlagSingleInheritance, elements: !20, dataLocation: !DIExpression(DW_OP_push_object_address, DW_OP_deref), associated: !DIExpression(DW_OP_lit0), allocated: !DIExpression(DW_OP_deref), rank: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 20, DW_OP_deref))
!20 = !{!21, !22}
!21 = !DISubrange(count: 4)
!22 = !DISubrange(lowerBound: -1, upperBound: 5, stride: 1)
!23 = !DICompositeType(tag: DW_TAG_array_type, baseType: !18, elements: !24)
!24 = !{!25}
!25 = !DIGenericSubrange(count: !DIExpression(DW_OP_deref), lowerBound: 4, stride: !DIExpression(DW_OP_deref))
!26 = !DIStringType(name: "s", stringLengthExpression: !DIExpression(DW_OP_push_object_address), stringLocationExpression: !DIExpression(DW_OP_deref), size: 8, align: 16, encoding: DW_ATE_ASCII)
!27 = !DIDerivedType(tag: DW_TAG_member, name: "m", baseType: !18, size: 1, align: 2, offset: 3)
!28 = !DIBasicType()
!29 = !{!30, !32, !33}
!30 = !DIImportedEntity(tag: DW_TAG_imported_module, name: "e", scope: !14, entity: !9, file: !1, line: 1, elements: !31)
!31 = !{!7}
!32 = !DIImportedEntity(tag: DW_TAG_imported_declaration, scope: !14, entity: !5)
!33 = !DILabel(scope: !14, name: "lb", file: !1, line: 12)
!34 = !DILocalVariable(name: "lv1", arg: 2, scope: !14, file: !1, line: 4, type: !35, flags: DIFlagArtificial | DIFlagObjectPointer, align: 3)
!35 = !DICompositeType(tag: DW_TAG_array_type, name: "gr", baseType: !18, elements: !36)
!36 = !{!37}
!37 = !DISubrange(count: !38, lowerBound: !DIExpression(DW_OP_deref))
!38 = distinct !DIGlobalVariable(scope: !39, file: !1, line: 3, type: !18, isLocal: false, isDefinition: false)
!39 = !DICommonBlock(scope: !14, declaration: !40, name: "cb2", file: !1, line: 4)
!40 = distinct !DIGlobalVariable(name: "gv", linkageName: "gv", scope: !41, file: !1, line: 3, type: !18, isLocal: true, isDefinition: true, align: 8)
!41 = !DICommonBlock(scope: !14, declaration: null, name: "cb", file: !1, line: 3)
!42 = !DILocation(line: 54, column: 3, scope: !14)
!43 = !DILocalVariable(scope: !44, type: !46)
!44 = distinct !DILexicalBlockFile(scope: !45, discriminator: 3)
!45 = distinct !DILexicalBlock(scope: !14, line: 1)
!46 = distinct !DICompositeType(tag: DW_TAG_enumeration_type, name: "en", baseType: !18, elements: !36)
!47 = !DILocation(line: 3, column: 5, scope: !44)
!48 = !DILabel(scope: !44, name: "lb", file: !1, line: 1)
!49 = !DILocalVariable(name: "rec", scope: !14, type: !50)
!50 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !51)
!51 = !DICompositeType(tag: DW_TAG_array_type, name: "rec", baseType: !18, size: 4)
!52 = !DILocation(line: 3, column: 5, scope: !44, inlinedAt: !53)
!53 = !DILocation(line: 3, column: 6, scope: !14)
!54 = !DILocalVariable(name: "rec", scope: !14, type: !55)
!55 = !DICompositeType(tag: DW_TAG_array_type, name: "rec6", baseType: !18)
!56 = !DILocation(line: 3, column: 4, scope: !14)
!57 = !DILocalVariable(name: "rec2", scope: !14, type: !55)
!58 = !DILocation(line: 3, scope: !14)
!59 = !DILocation(line: 1, scope: !14)
!60 = !DILocation(line: 62, column: 3, scope: !14)
!61 = distinct !DISubprogram(name: "g", scope: !1, file: !3, line: 5, scopeLine: 6, spFlags: DISPFlagDefinition, unit: !2)
!62 = !DILocalVariable(name: "q", scope: !61)
!63 = !DILocation(line: 3, column: 4, scope: !61)
!64 = !DILocation(line: 67, column: 3, scope: !61)
!65 = !DILocation(line: 68, column: 3, scope: !61)
