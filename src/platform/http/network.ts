import { isIPv6 } from 'node:net';

/** The unit that limits per IP address count: for IPv6 the /64 network, because a household has a whole /64 and can change addresses freely. */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = parseGroups(address);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (isMapped) return groups.slice(6).flatMap(toBytes).join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** A network that usually belongs to one organisation, for limits on operations that cost money: the /48 for IPv6, the /24 for IPv4. */
export function toWideNetwork(address: string): string {
  const network = toNetwork(address);
  if (!network.includes(':')) return `${network.split('.').slice(0, 3).join('.')}.0/24`;
  return `${network.split(':').slice(0, 3).join(':')}::/48`;
}

/** The eight groups of an IPv6 address in hex, without leading zeros. */
function parseGroups(address: string): string[] {
  const url = new URL(`http://[${address.split('%')[0]}]`);
  const [head = '', tail] = url.hostname.slice(1, -1).split('::');
  const [left, right] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [
    string[],
    string[],
  ];
  if (tail === undefined) return left;
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

function toBytes(group: string): [number, number] {
  const bits = Number.parseInt(group, 16);
  return [bits >> 8, bits & 255];
}
