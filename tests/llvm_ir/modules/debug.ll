source_filename = "debug.c"

@g = global i32 0, !dbg !0

declare void @callee()

define i32 @f(i32 %x, ptr %p) !dbg !16 {
entry:
    #dbg_value(i32 %x, !15, !DIExpression(), !42)
    #dbg_declare(ptr %p, !21, !DIExpression(DW_OP_plus_uconst, 8, DW_OP_LLVM_convert, 32, DW_ATE_signed), !42)
  %y = add i32 %x, 1, !dbg !43
    #dbg_value(!DIArgList(i32 %x, i32 %y), !15, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus), !42)
    #dbg_assign(i32 %y, !15, !DIExpression(), !46, ptr %p, !DIExpression(), !42)
    #dbg_label(!22, !42)
  store i32 %y, ptr %p, align 4, !dbg !47, !tbaa !49, !DIAssignID !46
    #dbg_value(i32 poison, !15, !DIExpression(), !42)
  call void @callee(), !dbg !47, !custom !52
  ret i32 %y, !dbg !47
}

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!39, !40}
!llvm.ident = !{!41}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "g", scope: !2, file: !3, line: 1, type: !6, isLocal: false, isDefinition: true, align: 32)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "me", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !10, globals: !31, imports: !32, macros: !35, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "debug.c", directory: "/tmp", checksumkind: CSK_MD5, checksum: "00000000000000000000000000000000", source: "int g;\0A")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e", file: !3, line: 1, baseType: !6, size: 32, elements: !7, identifier: "id", enumKind: DW_APPLE_ENUM_KIND_Closed)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !{!8, !9}
!8 = !DIEnumerator(name: "A", value: -1)
!9 = !DIEnumerator(name: "B", value: 5, isUnsigned: true)
!10 = !{!11, !25, !26, !27, !28}
!11 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 64, flags: DIFlagPublic, elements: !12, rank: !DIExpression(DW_OP_push_object_address))
!12 = !{!13, !14, !24}
!13 = !DISubrange(count: 2, lowerBound: 0)
!14 = !DISubrange(lowerBound: !15, upperBound: !DIExpression(DW_OP_constu, 4), stride: 4)
!15 = !DILocalVariable(name: "x", arg: 1, scope: !16, file: !3, line: 3, type: !6)
!16 = distinct !DISubprogram(name: "f", linkageName: "_f", scope: !3, file: !3, line: 3, type: !17, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !20, thrownTypes: !23, keyInstructions: true)
!17 = !DISubroutineType(flags: DIFlagPublic, cc: DW_CC_normal, types: !18)
!18 = !{!6, !6, !19}
!19 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64, dwarfAddressSpace: 1)
!20 = !{!15, !21, !22}
!21 = !DILocalVariable(name: "p", arg: 2, scope: !16, file: !3, line: 3, type: !19, flags: DIFlagArtificial, align: 64)
!22 = !DILabel(scope: !16, name: "here", file: !3, line: 6, column: 2, isArtificial: true, coroSuspendIdx: 3)
!23 = !{!6}
!24 = !DIGenericSubrange(count: 4, lowerBound: !15, stride: 1)
!25 = !DIStringType(name: "str", stringLength: !15, stringLengthExpression: !DIExpression(), size: 32, encoding: DW_ATE_ASCII)
!26 = !DIFixedPointType(name: "fx", size: 32, align: 32, encoding: DW_ATE_signed_fixed, kind: Rational, numerator: -1, denominator: -1)
!27 = !DISubrangeType(name: "r", file: !3, line: 2, size: 32, align: 32, baseType: !6, lowerBound: i64 1, upperBound: i64 9)
!28 = !DIDerivedType(tag: DW_TAG_member, name: "m", scope: !5, file: !3, line: 1, baseType: !6, size: 32, offset: 32, flags: DIFlagPublic | DIFlagBitField, extraData: i64 0, annotations: !29)
!29 = !{!30}
!30 = !{!"key", !"value"}
!31 = !{!0}
!32 = !{!33}
!33 = !DIImportedEntity(tag: DW_TAG_imported_module, name: "imp", scope: !2, entity: !34, file: !3, line: 2, elements: !23)
!34 = !DINamespace(name: "ns", scope: null, exportSymbols: true)
!35 = !{!36}
!36 = !DIMacroFile(file: !3, nodes: !37)
!37 = !{!38}
!38 = !DIMacro(type: DW_MACINFO_define, line: 1, name: "N", value: "1")
!39 = !{i32 7, !"Dwarf Version", i32 5}
!40 = !{i32 2, !"Debug Info Version", i32 3}
!41 = !{!"me"}
!42 = !DILocation(line: 0, scope: !16)
!43 = !DILocation(line: 4, column: 7, scope: !44, inlinedAt: !45, atomGroup: 1, atomRank: 2)
!44 = distinct !DILexicalBlock(scope: !16, file: !3, line: 4, column: 1)
!45 = distinct !DILocation(line: 9, column: 1, scope: !16)
!46 = distinct !DIAssignID()
!47 = !DILocation(line: 5, column: 3, scope: !48, isImplicitCode: true)
!48 = !DILexicalBlockFile(scope: !44, file: !3, discriminator: 2)
!49 = !{!50, !50, i64 0}
!50 = !{!"int", !51, i64 0}
!51 = !{!"root"}
!52 = distinct !{!52, !53, !54, !55, !56, !57, !24, !58, !59}
!53 = !GenericDINode(tag: DW_TAG_member, header: "h", operands: {!3, null, !6})
!54 = !DIObjCProperty(name: "prop", file: !3, line: 7, setter: "set", getter: "get", attributes: 3, type: !6)
!55 = !DIModule(scope: null, name: "M", configMacros: "-D", includePath: "/i", apinotes: "/a", file: !3, line: 4, isDecl: true)
!56 = !DITemplateTypeParameter(name: "T", type: !6, defaulted: true)
!57 = !DITemplateValueParameter(tag: DW_TAG_GNU_template_template_param, name: "V", type: !6, value: i32 7)
!58 = !DICommonBlock(scope: !16, declaration: null, name: "com", file: !3, line: 8)
!59 = !DIDerivedType(tag: DW_TAG_LLVM_ptrauth_type, baseType: !19, ptrAuthKey: 2, ptrAuthIsAddressDiscriminated: true, ptrAuthExtraDiscriminator: 1234, ptrAuthIsaPointer: false, ptrAuthAuthenticatesNullValues: false)
