import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP, isIPv6 } from 'node:net';

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

/** IANA's special-purpose, multicast and unassigned addresses, which cannot be a server on the internet. */
const BLOCKED_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** IPv6 allows only global unicast, except ranges that map to IPv4 (6to4, Teredo) or are not routed. */
const ALLOWED_V6 = ['2000::/3'];
const BLOCKED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const MAPPED_V4 = '::ffff:0:0/96';

const createBlockList = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [net, bits] = range.split('/') as [string, string];
    list.addSubnet(net, Number(bits), isIPv6(net) ? 'ipv6' : 'ipv4');
  }
  return list;
};
const blocked4 = createBlockList(BLOCKED_V4);
const blocked6 = createBlockList(BLOCKED_V6);
const allowed6 = createBlockList(ALLOWED_V6);
const mapped4 = createBlockList([MAPPED_V4]);

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !blocked4.check(address, 'ipv4');
  if (isIP(address) === 0) return false;
  // An IPv4-mapped IPv6 address is checked against the IPv4 ranges.
  if (mapped4.check(address, 'ipv6')) return !blocked4.check(address, 'ipv6');
  return allowed6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6');
}

export class AddressRefused extends Error {
  readonly code = 'address_refused';
  constructor(host: string) {
    super(`${host} is not at a public address`);
  }
}

export type ResolveHost = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type Callback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** Returns only public addresses, so that the checked address is the one connected to. Another one refuses the host name. */
export function createPublicLookup(resolve: ResolveHost = lookup) {
  return (host: string, options: LookupOptions, done: Callback): void =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
        return done(new AddressRefused(host), []);
      if (options.all) return done(null, addresses);
      return done(null, addresses[0]!.address, addresses[0]!.family);
    });
}

/** Sockets look up only names, so a literal address in the URL is checked here. */
export function refusePrivateLiteral({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressRefused(host);
}
