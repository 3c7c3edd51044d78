import { closeSync, existsSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { giveToOwnerOfDirectory } from './file-lock.ts';

export type ServerLog = ReturnType<typeof openServerLog>;

const MAX_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 4_000;

/** The log file of PostgreSQL. Its output goes to a file, because the server can outlive the process that started it. */
export function openServerLog(path: string) {
  function size(): number {
    return existsSync(path) ? statSync(path).size : 0;
  }

  function readFrom(offset: number): string {
    if (!existsSync(path)) return '';
    const fd = openSync(path, 'r');
    try {
      const end = fstatSync(fd).size;
      const begin = Math.max(offset, end - TAIL_BYTES, 0);
      const buffer = Buffer.alloc(Math.max(end - begin, 0));
      const length = readSync(fd, buffer, 0, buffer.length, begin);
      return buffer.toString('utf8', 0, length).trim();
    } finally {
      closeSync(fd);
    }
  }

  return {
    size,
    readFrom,
    tail: () => readFrom(0),

    /** Returns a file descriptor, which the caller closes after passing it to the server. */
    openForServer(): number {
      if (size() > MAX_BYTES) truncateSync(path);
      const isNew = !existsSync(path);
      const fd = openSync(path, 'a', 0o600);
      if (isNew) giveToOwnerOfDirectory(path);
      return fd;
    },
  };
}
