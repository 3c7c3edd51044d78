import { isIPv6 } from 'node:net';

/** What limits per address count: for IPv6 the /64, because one household has that and can use a new address every time. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (isMapped) return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** A network that one party holds as a whole, for caps on what costs money: of IPv6 the /48, of IPv4 the /24. */
export function wideNetworkOf(address: string): string {
  const network = networkOf(address);
  if (!network.includes(':')) return `${network.split('.').slice(0, 3).join('.')}.0/24`;
  return `${network.split(':').slice(0, 3).join(':')}::/48`;
}

/** The eight groups in hex, without leading zeros. */
function groupsOf(address: string): string[] {
  const url = new URL(`http://[${address.split('%')[0]}]`);
  const [head = '', tail] = url.hostname.slice(1, -1).split('::');
  const [left, right] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [
    string[],
    string[],
  ];
  if (tail === undefined) return left;
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

function bytesOf(group: string): [number, number] {
  const bits = Number.parseInt(group, 16);
  return [bits >> 8, bits & 255];
}
