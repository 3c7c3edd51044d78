import { type Arguments, type Command, CommandFault, readSpan, UsageFault } from '#platform/command.ts';
import type { Queryable } from '#platform/db.ts';
import { DEFAULT_REQUESTS_PER_MINUTE, SCOPES, type Scope } from '../api-key.ts';
import { issueKey } from '../issue-key.ts';
import type { FindMerchant } from '../merchant-directory.ts';
import { findPartner } from '../store.ts';

export const keyCreate = (findMerchant: FindMerchant | undefined): Command => ({
  name: 'key create',
  summary: 'issue an API key; it is shown once',
  options: {
    partner: { value: 'ID', help: 'id or name of the partner (required)' },
    scopes: { value: 'LIST', help: `comma-separated: public, wallet, merchant (default public)` },
    merchant: { value: 'SLUG', help: 'the merchant whose key it is; gives it the scope merchant' },
    label: { value: 'TEXT', help: 'what the key is for' },
    origins: {
      value: 'LIST',
      help: 'browser origins that may use it, comma-separated, * for all (default: none, servers only)',
    },
    limit: { value: 'N', help: `requests a minute, or none (default ${DEFAULT_REQUESTS_PER_MINUTE})` },
    backend: { help: 'of a server that calls for consumers: its header x-client-ip names their address' },
    expires: { value: 'SPAN', help: 'how long it lives, e.g. 90d (default: until revoked)' },
  },
  details:
    'The key goes to standard output, everything else to standard error: KEY=$(semana key create --partner ID)',
  examples: [
    'semana key create --partner "Site institucional" --origins https://www.example.com.br',
    'semana key create --partner "App" --scopes wallet --backend',
    'semana key create --partner "Padaria" --merchant padaria-flor-do-trigo',
  ],
  async run({ db, clock, config, print, printError }, args) {
    const wanted = args.option('partner');
    if (!wanted) throw new UsageFault('--partner is missing.');
    if (args.option('scopes')?.includes('operator'))
      throw new UsageFault(`A key with the scope operator belongs to a person: see 'semana staff add'.`);
    const partner = await findPartner(db, wanted);
    if (!partner) throw new CommandFault(`There is no partner '${wanted}'. See 'semana partner list'.`);
    const merchantId = await readMerchant(db, args.option('merchant'), findMerchant);
    const span = args.option('expires');
    const allowedOrigins = readOrigins(args.option('origins'));
    const issued = await issueKey(
      db,
      {
        partnerId: partner.id,
        label: args.option('label') ?? '',
        scopes: readScopes(args.option('scopes'), merchantId !== null),
        allowedOrigins,
        requestsPerMinute: readLimit(args),
        backend: args.has('backend'),
        merchantId,
        expiresAt: span ? new Date(clock.now().getTime() + readSpan(span, 'expires')) : null,
      },
      { mode: config.mode, clock },
    );
    printError(`Key ${issued.id} issued. Keep it now: it is not shown again.`);
    if (allowedOrigins.length === 0) {
      printError('No origins: servers only. Pages in a browser cannot read its answers; see --origins.');
    }
    print(issued.secret);
    return undefined;
  },
});

async function readMerchant(db: Queryable, slug: string | undefined, find: FindMerchant | undefined) {
  if (slug === undefined) return null;
  const id = await find?.(db, slug);
  if (id === undefined) throw new CommandFault(`There is no merchant '${slug}'.`);
  return id;
}

function readScopes(list: string | undefined, ofMerchant: boolean): Scope[] {
  const named = (list ?? (ofMerchant ? 'merchant' : 'public')).split(',').map((word) => word.trim());
  const scopes = [...new Set(ofMerchant ? [...named, 'merchant'] : named)];
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined)
    throw new UsageFault(`'${unknown}' is not a scope; there are ${SCOPES.join(', ')}.`);
  if (scopes.includes('merchant') && !ofMerchant)
    throw new UsageFault('A key with the scope merchant belongs to one: name it with --merchant.');
  return scopes as Scope[];
}

function readOrigins(list: string | undefined): string[] {
  const origins = (list ?? '').split(',').map((word) => word.trim());
  return origins.filter(Boolean).map((origin) => {
    if (origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)) return origin;
    throw new UsageFault(
      `'${origin}' is not an origin; write it like https://www.example.com.br, without a path.`,
    );
  });
}

function readLimit(args: Arguments): number | null {
  const limit = args.option('limit');
  if (limit === undefined) return DEFAULT_REQUESTS_PER_MINUTE;
  if (limit === 'none') return null;
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit);
  throw new UsageFault(`--limit is '${limit}'; write a whole number above 0, or none.`);
}
