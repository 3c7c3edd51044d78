import { type Arguments, type Command, CommandFault, readSpan, UsageFault } from '#platform/command.ts';
import { DEFAULT_REQUESTS_PER_MINUTE, SCOPES, type Scope } from '../api-key.ts';
import { issueKey } from '../issue-key.ts';
import { findPartner } from '../store.ts';

export const keyCreate: Command = {
  name: 'key create',
  summary: 'issue an API key; it is shown once',
  options: {
    partner: { value: 'ID', help: 'id or name of the partner (required)' },
    scopes: { value: 'LIST', help: `comma-separated: ${SCOPES.join(', ')} (default public)` },
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
  ],
  async run({ db, clock, config, print, printError }, args) {
    const wanted = args.option('partner');
    if (!wanted) throw new UsageFault('--partner is missing.');
    const partner = await findPartner(db, wanted);
    if (!partner) throw new CommandFault(`There is no partner '${wanted}'. See 'semana partner list'.`);
    const span = args.option('expires');
    const allowedOrigins = readOrigins(args.option('origins'));
    const issued = await issueKey(
      db,
      {
        partnerId: partner.id,
        label: args.option('label') ?? '',
        scopes: readScopes(args.option('scopes') ?? 'public'),
        allowedOrigins,
        requestsPerMinute: readLimit(args),
        backend: args.has('backend'),
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
};

function readScopes(list: string): Scope[] {
  const scopes = [...new Set(list.split(',').map((word) => word.trim()))];
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined)
    throw new UsageFault(`'${unknown}' is not a scope; there are ${SCOPES.join(', ')}.`);
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
