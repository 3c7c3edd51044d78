import {
  type Arguments,
  type Command,
  type Option,
  readSpan,
  UsageFault,
} from '#platform/command-line/command.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import type { Mode } from '#platform/settings.ts';
import { DEFAULT_REQUESTS_PER_MINUTE, SCOPES, type Scope } from '../api-key.ts';
import { addKey } from '../manage-keys.ts';
import type { FindMerchant } from '../merchant-directory.ts';
import { isReturnOrigin } from '../return-origins.ts';
import { requirePartner } from './partner.ts';

export const RETURN_ORIGINS_OPTION: Option = {
  value: 'LIST',
  help: 'origins that offers made with it may lead back to, comma-separated (default: none)',
};

export const keyCreate = (findMerchant: FindMerchant | undefined): Command => ({
  name: 'key create',
  summary: 'issue an API key; it is shown once',
  options: {
    partner: { value: 'ID', help: 'id or name of the partner', required: true },
    scopes: { value: 'LIST', help: `comma-separated: public, wallet, merchant, till (default public)` },
    merchant: { value: 'SLUG', help: 'the merchant whose key it is; gives it the scope merchant' },
    label: { value: 'TEXT', help: 'what the key is for' },
    origins: {
      value: 'LIST',
      help: 'browser origins that may use it, comma-separated, * for all (default: none, servers only)',
    },
    'return-origins': RETURN_ORIGINS_OPTION,
    limit: { value: 'N', help: `requests a minute, or none (default ${DEFAULT_REQUESTS_PER_MINUTE})` },
    backend: { help: 'of a server that calls for consumers: its header x-client-ip names their address' },
    expires: { value: 'SPAN', help: 'how long it lives, e.g. 90d (default: until revoked)' },
  },
  details:
    'The key goes to standard output, everything else to standard error: KEY=$(semana key create --partner ID)',
  examples: [
    'semana key create --partner "Site institucional" --origins https://www.example.com.br',
    'semana key create --partner "App" --scopes wallet --backend',
    'semana key create --partner "Padaria" --merchant padaria-flor-do-trigo --return-origins https://loja.example.com.br',
  ],
  async run(context, args) {
    const { db, clock, config, print, printError } = context;
    const partner = args.required('partner');
    await requirePartner(db, partner);
    const merchant = args.option('merchant');
    const span = args.option('expires');
    const label = args.option('label');
    const origins = readOrigins(args.option('origins'));
    const form = {
      partner,
      scopes: readScopes(args.option('scopes'), merchant !== undefined),
      origins,
      return_origins: readReturnOrigins(args.option('return-origins'), config.mode),
      ...(merchant !== undefined && { merchant }),
      ...(label && { label }),
      backend: args.has('backend'),
      requests_per_minute: readLimit(args),
      ...(span && { expires_at: new Date(clock.now().getTime() + readSpan(span, 'expires')) }),
    };
    const change = changeByCommand(context, 'key create');
    const issued = await db.transaction((tx) =>
      addKey(tx, form, { change, mode: config.mode, findMerchant }),
    );
    printError(`Key ${issued.id} issued. Keep it now: it is not shown again.`);
    if (origins.length === 0) {
      printError('No origins: servers only. Pages in a browser cannot read its answers; see --origins.');
    }
    print(issued.key);
  },
});

type PartnerScope = Exclude<Scope, 'operator'>;

function readScopes(list: string | undefined, ofMerchant: boolean): PartnerScope[] {
  const named = (list ?? (ofMerchant ? 'merchant' : 'public')).split(',').map((word) => word.trim());
  const scopes = [...new Set(ofMerchant ? [...named, 'merchant'] : named)];
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined)
    throw new UsageFault(`'${unknown}' is not a scope; there are ${SCOPES.join(', ')}.`);
  if (scopes.includes('merchant') && !ofMerchant)
    throw new UsageFault('A key with the scope merchant belongs to one: name it with --merchant.');
  if (scopes.includes('operator'))
    throw new UsageFault(`A key with the scope operator belongs to a person: see 'semana staff add'.`);
  return scopes as PartnerScope[];
}

const readOrigins = (list: string | undefined): string[] =>
  originsIn(list, (origin) => origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin));

/** Over https, and in the sandbox also http on this machine. */
export const readReturnOrigins = (list: string | undefined, mode: Mode): string[] =>
  originsIn(list, (origin) => isReturnOrigin(origin, mode));

function originsIn(list: string | undefined, isOrigin: (origin: string) => boolean): string[] {
  const origins = (list ?? '').split(',').map((word) => word.trim());
  return origins.filter(Boolean).map((origin) => {
    if (isOrigin(origin)) return origin;
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
