"""lit's configuration for MLIR's tests, with Fathom's tools in the place of MLIR's.

`launch.py` has lit load this file where it would load the source's own `lit.cfg.py`. The names of the settings are
those for which the `lit.local.cfg` files below `mlir/test` ask.
"""

# The two names `config` and `lit_config` are lit's.
# ruff: noqa: F821

import platform
import sys
from pathlib import Path

from lit.formats import ShTest

mlir = Path(lit_config.params["mlir"])
llvm = Path(lit_config.params["llvm"])
work = Path(lit_config.params["work"])
machine = platform.machine()

config.name = "MLIR"
config.test_format = ShTest(execute_external=False)
config.test_source_root = str(mlir / "test")
config.test_exec_root = str(work / "test")
config.suffixes = {".mlir", ".ll", ".test", ".td", ".pdll", ".yaml", ".spvasm"}
config.excludes = {"Inputs", "CMakeLists.txt", "README.txt", "LICENSE.txt", "lit.cfg.py", "lit.site.cfg.py"}

# What a build of MLIR decides: everything that needs neither a device nor an emulator.
config.native_target = {"x86_64": "X86", "aarch64": "AArch64"}.get(machine, machine)
config.target_triple = f"{machine}-pc-linux-gnu"
config.build_examples = True
config.mlir_include_integration_tests = True
config.mlir_run_x86vector_tests = machine == "x86_64"
for absent in (
    "enable_bindings_python enable_cuda_runner enable_levelzero_runner enable_rocm_runner "
    "enable_spirv_cpu_runner enable_sycl_runner enable_vulkan_runner llvm_shared_libs_build mlir_run_amx_tests "
    "mlir_run_arm_sme_tests mlir_run_arm_sve_tests mlir_run_cuda_sm80_lt_tests mlir_run_cuda_sm80_tests "
    "mlir_run_cuda_sm90_tests mlir_run_cuda_tensor_core_tests run_nvptx_tests run_rocm_tests run_xevm_tests "
    "spirv_tools_tests"
).split():
    setattr(config, absent, False)
for absent in (
    "arm_emulator_executable arm_emulator_lli_executable arm_emulator_mlir_runner_executable arm_emulator_options "
    "arm_emulator_utils_lib_dir arm_sme_abi_routines_shlib cmake_build_type gpu_compilation_format "
    "host_c_compiler_launcher host_cc host_cmake host_cmake_generator host_cxx host_cxx_compiler_launcher "
    "enable_libcxx intel_sde_executable llvm_use_linker mlir_cmake_dir mlir_run_riscv_vector_tests "
    "riscv_emulator_lli_executable riscv_emulator_utils_lib_dir riscv_vector_emulator_executable "
    "riscv_vector_emulator_options rocm_test_chipset"
).split():
    setattr(config, absent, "")
config.llvm_shlib_ext = ".so"
config.mlir_lib_dir = str(llvm / "lib")
config.mlir_obj_root = str(work)
config.host_os = platform.system()

config.available_features |= {
    "host-supports-jit",
    "noasserts",
    "python-ge-311",
    "shell",
    f"system-{platform.system().lower()}",
    f"target={config.target_triple}",
}

# The stand-ins come first; behind them only LLVM's own tools and the system's.
config.environment["PATH"] = ":".join([lit_config.params["tools"], "/usr/local/bin", "/usr/bin", "/bin"])
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"

libraries = (
    "mlir_runner_utils mlir_c_runner_utils mlir_async_runtime mlir_float16_utils mlir_apfloat_wrappers "
    "mlir_arm_runner_utils mlir_arm_sme_abi_stubs"
).split()
config.substitutions += [
    ("%PATH%", config.environment["PATH"]),
    ("%shlibext", config.llvm_shlib_ext),
    ("%mlir_src_root", str(mlir)),
    ("%mlir_src_dir", str(mlir)),
    ("%mlir_lib_dir", config.mlir_lib_dir),
    ("%llvm_src_root", str(mlir.parent / "llvm")),
    ("%PYTHON", sys.executable),
    *((f"%{library}", str(llvm / "lib" / f"lib{library}.so")) for library in libraries),
]
