import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Bilingual } from '#core/bilingual.ts';
import type { Mode } from '#platform/settings.ts';

/** IANA's special-purpose, multicast and unassigned addresses: none can be a partner's server. */
const CLOSED_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** Of IPv6 only global unicast is allowed, except ranges that map to IPv4 (6to4, Teredo) or are not routed. */
const OPEN_V6 = ['2000::/3'];
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const MAPPED_V4 = '::ffff:0:0/96';

const blockList = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [net, bits] = range.split('/') as [string, string];
    list.addSubnet(net, Number(bits), isIPv6(net) ? 'ipv6' : 'ipv4');
  }
  return list;
};
const closed4 = blockList(CLOSED_V4);
const closed6 = blockList(CLOSED_V6);
const open6 = blockList(OPEN_V6);
const mapped4 = blockList([MAPPED_V4]);

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !closed4.check(address, 'ipv4');
  if (isIP(address) === 0) return false;
  // An IPv4-mapped IPv6 address is checked against the ranges of IPv4.
  if (mapped4.check(address, 'ipv6')) return !closed4.check(address, 'ipv6');
  return open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');
}

export class AddressRefused extends Error {
  readonly code = 'address_refused';
  constructor(host: string) {
    super(`${host} is not at a public address`);
  }
}

export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type Callback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * A `lookup` for sockets that returns public addresses only: the checked address is the one connected to. One address that is not
 * public refuses the whole name.
 */
export function publicLookup(resolve: Resolve = lookup) {
  return (host: string, options: LookupOptions, done: Callback): void =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
        return done(new AddressRefused(host), []);
      if (options.all) return done(null, addresses);
      return done(null, addresses[0]!.address, addresses[0]!.family);
    });
}

/** Sockets look up names only: a literal address in the URL is checked here. */
export function refuseLiteral({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressRefused(host);
}

const MOST_CHARACTERS = 2_000;

const NOT_PUBLIC: Bilingual = { en: 'must be reachable from everywhere', pt: 'deve ser público na internet' };

/** What is wrong with a URL, in words; undefined when it is fine. Its host name is resolved at each call. */
export function faultOfUrl(text: string, mode: Mode): Bilingual | undefined {
  if (text.length > MOST_CHARACTERS)
    return {
      en: `must have at most ${MOST_CHARACTERS} characters`,
      pt: `deve ter no máximo ${MOST_CHARACTERS} caracteres`,
    };
  if (!URL.canParse(text))
    return {
      en: 'must be a whole address, like https://www.example.com.br/hook',
      pt: 'deve ser completo, como https://www.example.com.br/hook',
    };
  const url = new URL(text);
  if (url.protocol !== 'https:' && (mode === 'live' || url.protocol !== 'http:'))
    return mode === 'live'
      ? { en: 'must begin with https://', pt: 'deve começar com https://' }
      : { en: 'must begin with https:// or http://', pt: 'deve começar com https:// ou http://' };
  if (url.username || url.password)
    return { en: 'must hold no name and no password', pt: 'não pode ter usuário nem senha' };
  if (url.hash || text.endsWith('#'))
    return { en: 'must have no fragment', pt: 'não pode ter fragmento (#)' };
  try {
    if (mode === 'live') refuseLiteral(url);
  } catch (error) {
    return { ...NOT_PUBLIC, en: `${NOT_PUBLIC.en}: ${(error as Error).message}` };
  }
  if (mode === 'live' && /^(.*\.)?(localhost|local|internal)\.?$/.test(url.hostname)) return NOT_PUBLIC;
  return undefined;
}
