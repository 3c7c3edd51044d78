import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Returns the network that a limit per IP address counts: for IPv6 the /64, because a household can use any address of its /64. */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = parseGroups(address);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (isMapped) return groups.slice(6).flatMap(toBytes).join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** Returns the network of one organisation, for limits on operations that cost money: the /48 for IPv6, the /24 for IPv4. */
export function toWideNetwork(address: string): string {
  const network = toNetwork(address);
  if (!network.includes(':')) return `${network.split('.').slice(0, 3).join('.')}.0/24`;
  return `${network.split(':').slice(0, 3).join(':')}::/48`;
}

/** Returns the eight groups of an IPv6 address in hex, without leading zeros. */
function parseGroups(address: string): string[] {
  const [addressWithoutZone] = address.split('%');
  // A URL has the canonical form, in which '::' stands for groups of zeros.
  const { hostname } = new URL(`http://[${addressWithoutZone}]`);
  const [firstHalf = '', secondHalf] = hostname.slice(1, -1).split('::');
  const splitGroups = (half: string) => half.split(':').filter(Boolean);
  const firstGroups = splitGroups(firstHalf);
  if (secondHalf === undefined) return firstGroups;
  const lastGroups = splitGroups(secondHalf);
  const zeroGroups = Array<string>(8 - firstGroups.length - lastGroups.length).fill('0');
  return [...firstGroups, ...zeroGroups, ...lastGroups];
}

function toBytes(group: string): [number, number] {
  const bits = Number.parseInt(group, 16);
  return [bits >> 8, bits & 255];
}

/** IANA's special-purpose, multicast and unassigned addresses, which no server on the internet has. */
const BLOCKED_IPV4_RANGES = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'
).split(' ');
/** IPv6 allows only global unicast, except ranges that map to IPv4 (6to4, Teredo) or are not routed. */
const ALLOWED_IPV6_RANGES = ['2000::/3'];
const BLOCKED_IPV6_RANGES = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const MAPPED_IPV4_RANGE = '::ffff:0:0/96';

const createBlockList = (ranges: readonly string[]): BlockList => {
  const blockList = new BlockList();
  for (const range of ranges) {
    const [networkAddress, bits] = range.split('/') as [string, string];
    blockList.addSubnet(networkAddress, Number(bits), isIPv6(networkAddress) ? 'ipv6' : 'ipv4');
  }
  return blockList;
};
const blockedIpv4 = createBlockList(BLOCKED_IPV4_RANGES);
const blockedIpv6 = createBlockList(BLOCKED_IPV6_RANGES);
const allowedIpv6 = createBlockList(ALLOWED_IPV6_RANGES);
const mappedIpv4 = createBlockList([MAPPED_IPV4_RANGE]);

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !blockedIpv4.check(address, 'ipv4');
  if (isIP(address) === 0) return false;
  // An IPv4-mapped IPv6 address is checked against the IPv4 ranges.
  if (mappedIpv4.check(address, 'ipv6')) return !blockedIpv4.check(address, 'ipv6');
  return allowedIpv6.check(address, 'ipv6') && !blockedIpv6.check(address, 'ipv6');
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

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** Creates a DNS lookup for sockets, so that they connect to the address that was checked. Refuses a host with any address that is not public. */
export function createPublicLookup(resolve: ResolveHost = lookup) {
  return (host: string, options: LookupOptions, done: LookupCallback): void =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const [firstAddress] = addresses;
      if (!firstAddress || !addresses.every(({ address }) => isPublicAddress(address)))
        return done(new AddressRefused(host), []);
      if (options.all) return done(null, addresses);
      return done(null, firstAddress.address, firstAddress.family);
    });
}

/** Checks a literal address in a URL, because sockets look up only names. */
export function refusePrivateIpLiteral({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressRefused(host);
}
