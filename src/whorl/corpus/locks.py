"""Locks on files, which end with the process that holds them, however it ends."""

from __future__ import annotations

import errno
import sys
from typing import IO

__all__ = ["lock_file"]

_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


def lock_file(file: IO[bytes], *, shared: bool = False, is_patient: bool = False) -> bool:
    """Lock an open file until it is closed; return False if another process has locked it.

    With `is_patient`, wait until that process ends or unlocks it. The lock of a process that is
    killed is gone. On file systems without locks, every lock succeeds.
    """
    try:
        if sys.platform == "win32":
            import msvcrt  # of Windows alone

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if is_patient else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
            fcntl.flock(file, kind if is_patient else kind | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _NO_LOCKS:
            return True
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return False
        raise
    return True
