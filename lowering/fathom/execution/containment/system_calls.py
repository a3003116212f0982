"""The system calls of Linux, by what they are for: those that a program which computes needs, and those that it is
refused, in the words in which a user is told.

A line has names with two numbers each: that of x86-64, and that of aarch64, which has the kernel's generic table; `-`
where there is none. Source: the kernel's `arch/x86/entry/syscalls/syscall_64.tbl` and
`include/uapi/asm-generic/unistd.h`.
"""

from __future__ import annotations

import platform
from typing import Final

_COLUMNS: Final = {"x86_64": 0, "aarch64": 1}

_NEEDED: Final = """
brk 12 214; mmap 9 222; munmap 11 215; mremap 25 216; mprotect 10 226; madvise 28 233; mincore 27 232; msync 26 227
pkey_mprotect 329 288; pkey_alloc 330 289; pkey_free 331 290
read 0 63; readv 19 65; pread64 17 67; preadv 295 69; write 1 64; writev 20 66; pwrite64 18 68; pwritev 296 70
close 3 57; close_range 436 436; lseek 8 62; fstat 5 80; dup 32 23; dup2 33 -; dup3 292 24; pipe 22 -; pipe2 293 59
poll 7 -; ppoll 271 73; select 23 -; pselect6 270 72; epoll_create 213 -; epoll_create1 291 20; epoll_ctl 233 21
epoll_wait 232 -; epoll_pwait 281 22; eventfd 284 -; eventfd2 290 19; fadvise64 221 223; getdents64 217 61
access 21 -; faccessat 269 48; faccessat2 439 439; stat 4 -; lstat 6 -; newfstatat 262 79; statx 332 291
readlink 89 -; readlinkat 267 78; getcwd 79 17; statfs 137 43; fstatfs 138 44
rt_sigaction 13 134; rt_sigprocmask 14 135; rt_sigreturn 15 139; rt_sigpending 127 136; rt_sigsuspend 130 133
rt_sigtimedwait 128 137; sigaltstack 131 132; pause 34 -; alarm 37 -; setitimer 38 103; getitimer 36 102
restart_syscall 219 128; exit 60 93; exit_group 231 94; futex 202 98; set_tid_address 218 96
set_robust_list 273 99; get_robust_list 274 100; rseq 334 293; membarrier 324 283; sched_yield 24 124
sched_getaffinity 204 123; getcpu 309 168; wait4 61 260; waitid 247 95; arch_prctl 158 -
getpid 39 172; getppid 110 173; gettid 186 178; getuid 102 174; geteuid 107 175; getgid 104 176; getegid 108 177
getgroups 115 158; getpgrp 111 -; getpgid 121 155; getsid 124 156; uname 63 160; sysinfo 99 179; getrusage 98 165
times 100 153; getpriority 140 141; umask 95 166; getrlimit 97 163; getrandom 318 278
clock_gettime 228 113; clock_getres 229 114; clock_nanosleep 230 115; nanosleep 35 101; gettimeofday 96 169
time 201 -; timer_create 222 107; timer_settime 223 110; timer_gettime 224 108; timer_delete 226 111
"""

_JUDGED: Final = "open 2 -; openat 257 56; ioctl 16 29; fcntl 72 25; kill 62 129; tgkill 234 131; clone 56 220"
_JUDGED_TOO: Final = "prlimit64 302 261; prctl 157 167"

_REFUSED: Final = {
    "write to files": """
creat 85 -; mkdir 83 -; mkdirat 258 34; mknod 133 -; mknodat 259 33; unlink 87 -; unlinkat 263 35; rename 82 -
renameat 264 38; renameat2 316 276; rmdir 84 -; link 86 -; linkat 265 37; symlink 88 -; symlinkat 266 36
truncate 76 45; ftruncate 77 46; fallocate 285 47; chmod 90 -; fchmod 91 52; fchmodat 268 53; fchmodat2 452 452
chown 92 -; fchown 93 55; lchown 94 -; fchownat 260 54; utime 132 -; utimes 235 -; utimensat 280 88; futimesat 261 -
setxattr 188 5; lsetxattr 189 6; fsetxattr 190 7; removexattr 197 14; lremovexattr 198 15; fremovexattr 199 16
copy_file_range 326 285; memfd_create 319 279; sendfile 40 71; splice 275 76; mount 165 40; umount2 166 39
""",
    "start a process": "fork 57 -; vfork 58 -; execve 59 221; execveat 322 281; unshare 272 97; setns 308 268",
    "open a socket": """
socket 41 198; socketpair 53 199; connect 42 203; bind 49 200; listen 50 201; accept 43 202; accept4 288 242
sendto 44 206; sendmsg 46 211; sendmmsg 307 269
""",
    "act on other processes": """
tkill 200 130; rt_sigqueueinfo 129 138; rt_tgsigqueueinfo 297 240; pidfd_open 434 434; pidfd_send_signal 424 424
pidfd_getfd 438 438; process_vm_readv 310 270; process_vm_writev 311 271; ptrace 101 117; sched_setaffinity 203 122
setpriority 141 140; sched_setscheduler 144 119; sched_setattr 314 274; process_madvise 440 440; setpgid 109 154
setsid 112 157
""",
    "use what belongs to the whole machine": """
shmget 29 194; shmat 30 196; shmctl 31 195; mq_open 240 180; io_uring_setup 425 425; keyctl 250 219; add_key 248 217
bpf 321 280; perf_event_open 298 241; userfaultfd 323 282; reboot 169 142; init_module 175 105; finit_module 313 273
""",
}

_JUDGED_FOR: Final = {
    "open": "write to files",
    "openat": "write to files",
    "kill": "act on other processes",
    "tgkill": "act on other processes",
    "prlimit64": "act on other processes",
    "clone": "start a process",
}
"""What those are refused for that depend on their arguments."""


def _numbers(table: str) -> dict[str, int]:
    """The numbers of a table on this machine."""
    column = _COLUMNS[platform.machine()]
    by_name: dict[str, int] = {}
    for entry in table.replace("\n", ";").split(";"):
        name, *numbers = entry.split() or [""]
        if numbers and numbers[column] != "-":
            by_name[name] = int(numbers[column])
    return by_name


def is_known_machine() -> bool:
    """Whether the numbers are known for this machine."""
    return platform.machine() in _COLUMNS


def needed() -> dict[str, int]:
    """Those that are allowed, whatever their arguments."""
    return _numbers(_NEEDED)


def judged() -> dict[str, int]:
    """Those whose arguments decide."""
    return _numbers(f"{_JUDGED};{_JUDGED_TOO}")


def refused() -> dict[str, int]:
    """Those that are refused, and told of."""
    return _numbers(";".join(_REFUSED.values()))


def described(number: int) -> str:
    """What a program that made this call was about to do: `open a socket (the system call socket)`."""
    name = next((name for name, known in {**refused(), **judged()}.items() if known == number), str(number))
    purposes = [words for words, table in _REFUSED.items() if name in _numbers(table)]
    purpose = purposes[0] if purposes else _JUDGED_FOR.get(name, "do what it may not")
    return f"{purpose} (the system call {name})"
