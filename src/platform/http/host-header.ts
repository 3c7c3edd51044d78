import type { IncomingMessage } from 'node:http';

/** How many Host headers a request has. Node keeps the first and ignores others, which a proxy may have used. */
export function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
