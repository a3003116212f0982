"""The words of DWARF by their numbers, as far as LLVM 22 knows them.

A line begins with the number of its first word; the others are those of the numbers that follow.
Source of the numbers: what mlir-opt 22 calls each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def _words(prefix: str, lines: str) -> Mapping[int, str]:
    table: dict[int, str] = {}
    for line in lines.strip().splitlines():
        first, _, words = line.partition(": ")
        table |= {number: prefix + word for number, word in enumerate(words.split(), int(first))}
    return table


TAGS: Final = _words(
    "DW_TAG_",
    """
1: array_type class_type entry_point enumeration_type formal_parameter
8: imported_declaration
10: label lexical_block
13: member
15: pointer_type reference_type compile_unit string_type structure_type
21: subroutine_type typedef union_type unspecified_parameters variant common_block common_inclusion inheritance
29: inlined_subroutine module ptr_to_member_type set_type subrange_type with_stmt access_declaration base_type
37: catch_block const_type constant enumerator file_type friend namelist namelist_item packed_type subprogram
47: template_type_parameter template_value_parameter thrown_type try_block variant_part variable volatile_type
54: dwarf_procedure restrict_type interface_type namespace imported_module unspecified_type partial_unit
61: imported_unit
63: condition shared_type type_unit rvalue_reference_type template_alias coarray_type generic_subrange
70: dynamic_type atomic_type call_site call_site_parameter skeleton_unit immutable_type
16513: MIPS_loop
16641: format_label function_template class_template GNU_BINCL GNU_EINCL GNU_template_template_param
16647: GNU_template_parameter_pack GNU_formal_parameter_pack GNU_call_site GNU_call_site_parameter
16896: APPLE_property SUN_function_template SUN_class_template SUN_struct_template SUN_union_template
16901: SUN_indirect_inheritance SUN_codeflags SUN_memop_info SUN_omp_child_func SUN_rtti_descriptor
16906: SUN_dtor_info SUN_dtor SUN_f90_interface SUN_fortran_vax_structure
17151: SUN_hi LLVM_ptrauth_type
20737: ALTIUM_circ_type ALTIUM_mwa_circ_type ALTIUM_rev_carry_type
20753: ALTIUM_rom
24576: LLVM_annotation
32772: GHS_namespace GHS_using_namespace GHS_using_declaration GHS_template_templ_param
34661: UPC_shared_type UPC_strict_type UPC_relaxed
40960: PGI_kanji_type
40992: PGI_interface_block
45056: BORLAND_property BORLAND_Delphi_string BORLAND_Delphi_dynamic_array BORLAND_Delphi_set
45060: BORLAND_Delphi_variant
""",
)

ENCODINGS: Final = _words(
    "DW_ATE_",
    """
1: address boolean complex_float float signed signed_char unsigned unsigned_char imaginary_float packed_decimal
11: numeric_string edited signed_fixed unsigned_fixed decimal_float UTF UCS ASCII
129: HP_complex_float HP_float128 HP_complex_float128 HP_floathpintel HP_imaginary_float90 HP_imaginary_float128
""",
)

OPERATIONS: Final = _words(
    "DW_OP_",
    """
3: addr
6: deref
8: const1u const1s const2u const2s const4u const4s const8u const8s constu consts dup drop over pick swap rot
24: xderef abs and div minus mod mul neg not or plus plus_uconst shl shr shra xor bra eq ge gt le lt ne skip
48: lit0 lit1 lit2 lit3 lit4 lit5 lit6 lit7 lit8 lit9 lit10 lit11 lit12 lit13 lit14 lit15 lit16 lit17 lit18
67: lit19 lit20 lit21 lit22 lit23 lit24 lit25 lit26 lit27 lit28 lit29 lit30 lit31 reg0 reg1 reg2 reg3 reg4 reg5
86: reg6 reg7 reg8 reg9 reg10 reg11 reg12 reg13 reg14 reg15 reg16 reg17 reg18 reg19 reg20 reg21 reg22 reg23
104: reg24 reg25 reg26 reg27 reg28 reg29 reg30 reg31 breg0 breg1 breg2 breg3 breg4 breg5 breg6 breg7 breg8 breg9
122: breg10 breg11 breg12 breg13 breg14 breg15 breg16 breg17 breg18 breg19 breg20 breg21 breg22 breg23 breg24
137: breg25 breg26 breg27 breg28 breg29 breg30 breg31 regx fbreg bregx piece deref_size xderef_size nop
151: push_object_address call2 call4 call_ref form_tls_address call_frame_cfa bit_piece implicit_value
159: stack_value implicit_pointer addrx constx entry_value const_type regval_type deref_type xderef_type convert
169: reinterpret
224: GNU_push_tls_address HP_is_value HP_fltconst4 HP_fltconst8 HP_mod_range HP_unmod_range HP_tls
232: INTEL_bit_piece LLVM_user
237: WASM_location WASM_location_int
240: APPLE_uninit
242: GNU_implicit_pointer GNU_entry_value
248: PGI_omp_thread_num
251: GNU_addr_index GNU_const_index
4096: LLVM_fragment LLVM_convert LLVM_tag_offset LLVM_entry_value LLVM_implicit_pointer LLVM_arg
4102: LLVM_extract_bits_sext LLVM_extract_bits_zext
""",
)

LANGUAGES: Final = _words(
    "DW_LANG_",
    """
1: C89 C Ada83 C_plus_plus Cobol74 Cobol85 Fortran77 Fortran90 Pascal83 Modula2 Java C99 Ada95 Fortran95 PLI
16: ObjC ObjC_plus_plus UPC D Python OpenCL Go Modula3 Haskell C_plus_plus_03 C_plus_plus_11 OCaml Rust C11
30: Swift Julia Dylan C_plus_plus_14 Fortran03 Fortran08 RenderScript BLISS Kotlin Zig Crystal
42: C_plus_plus_17 C_plus_plus_20 C17 Fortran18 Ada2005 Ada2012 HIP Assembly C_sharp Mojo GLSL GLSL_ES HLSL
55: OpenCL_CPP CPP_for_OpenCL SYCL
61: Metal
64: Ruby Move Hylo
32769: Mips_Assembler
36439: GOOGLE_RenderScript
45056: BORLAND_Delphi
""",
)

CALLING_CONVENTIONS: Final = _words(
    "DW_CC_",
    """
1: normal program nocall pass_by_reference pass_by_value
64: GNU_renesas_sh GNU_borland_fastcall_i386
176: BORLAND_safecall BORLAND_stdcall BORLAND_pascal BORLAND_msfastcall BORLAND_msreturn BORLAND_thiscall
182: BORLAND_fastcall
192: LLVM_vectorcall LLVM_Win64 LLVM_X86_64SysV LLVM_AAPCS LLVM_AAPCS_VFP LLVM_IntelOclBicc LLVM_SpirFunction
199: LLVM_DeviceKernel LLVM_Swift LLVM_PreserveMost LLVM_PreserveAll LLVM_X86RegCall LLVM_M68kRTD
205: LLVM_PreserveNone LLVM_RISCVVectorCall LLVM_SwiftTail LLVM_RISCVVLSCall
255: GDB_IBM_OpenCL
""",
)

_KINDS: Final = {
    "DW_TAG_": ("tag name", TAGS),
    "DW_ATE_": ("encoding name", ENCODINGS),
    "DW_OP_": ("operation encoding name", OPERATIONS),
    "DW_LANG_": ("language name", LANGUAGES),
    "DW_CC_": ("calling convention name", CALLING_CONVENTIONS),
}


def words_of(prefix: str) -> tuple[str, frozenset[str]] | None:
    """What the words are called that begin so, and all of them; None where DWARF has no such words."""
    kind = _KINDS.get(prefix)
    if kind is None:
        return None
    # What has no tag says so by this word, which nobody prints.
    return kind[0], frozenset((*kind[1].values(), "DW_TAG_null"))
