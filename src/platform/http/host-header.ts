import type { IncomingMessage } from 'node:http';

/** Counts the Host headers of a request. Node uses the first one, but a proxy in front may have used another. */
export function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
