import { existsSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { giveToOwnerOfDirectory } from './file-lock.ts';

export type ServerLog = ReturnType<typeof openServerLog>;

const MAX_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 4_000;

/** The log file of PostgreSQL. Its output goes to a file, because the server can outlive the process that started it. */
export function openServerLog(path: string) {
  const size = () => (existsSync(path) ? statSync(path).size : 0);
  const readFrom = (offset: number): string => {
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    return bytes.toString('utf8', Math.max(offset, bytes.length - TAIL_BYTES)).trim();
  };
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
