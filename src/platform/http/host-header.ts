import type { IncomingMessage } from 'node:http';

/** How often a request names its host. Node keeps the first and says nothing of others, which a proxy may have gone by. */
export function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
