import type { ComponentChildren } from 'preact';
import type { Sent, Values } from '../server/visit.ts';
import { fill } from './pages.ts';
import {
  type AnswerOf,
  type CallId,
  type InputOf,
  mayCall,
  type OperationId,
  type OutputOf,
  ROLES,
  type Role,
} from './staff/client.ts';
import type { OfficeFormVisit, OfficeVisit } from './visit.ts';

export type ActField = {
  name: string;
  label: string;
  hint?: string;
  value?: string | undefined;
  choices?: Readonly<Record<string, string>>;
  mask?: 'money' | 'phone';
  type?: 'email' | 'tel' | 'datetime-local';
  /** A file of these types. */
  accept?: string;
  rows?: number;
  optional?: boolean;
  maxLength?: number;
  hidden?: true;
};

export type AnswerPage = { title: string; from: { href: string; text: string }; body: ComponentChildren };
/** What was done, and where to go if not back. */
type Done = string | { note: string; to: string };

/** What somebody may do, in three steps: the figures, the reason, the deed. It has a page of its own, which works without scripts. */
export type Act = {
  path: string;
  /** Who may make this call may do it; nobody else sees it. */
  call: OperationId;
  /** Where a part of the call takes a higher role. */
  least?: Role;
  title: string;
  /** The page it is begun on and leads back to. */
  back: string;
  /** What the figures are about: asked for before them, and then in the address. */
  first?: readonly ActField[];
  /** The first step: what would happen. */
  figures?: (visit: OfficeVisit) => Promise<ComponentChildren>;
  /** The money that goes out or is given up, which may take a second person; `any`: it takes one whatever the amount. */
  stake?: 'typed' | 'any' | ((visit: OfficeVisit) => Promise<number>);
  fields?: readonly ActField[] | ((visit: OfficeVisit) => Promise<readonly ActField[]>);
  /** What is typed as it will look, beside the form; a button shows it anew. */
  preview?: (visit: OfficeVisit, values: Values) => Promise<ComponentChildren>;
  button: string;
  /** It may take longer than a page. */
  isSlow?: true;
  /** Returns what it did; or what it found out, having changed nothing; or a page of its own, where the same again changes nothing. */
  run: (
    visit: OfficeFormVisit,
    sent: Sent,
  ) => Promise<Done | { found: ComponentChildren } | { page: AnswerPage }>;
};

/** One whose fields are the same whatever it is done to: it can be done to many rows at once. */
export type PlainAct = Act & { fields?: readonly ActField[] };

/** How an act is declared. `T`: what its figures, its stake and its fields are about. */
type Shared<T> = Pick<Act, 'path' | 'least' | 'title' | 'first' | 'preview' | 'isSlow'> & {
  /** If not given: the page of what the path names, or its list. */
  back?: string;
  /** If not given: the title. */
  button?: string;
  /** What happens, in words; under the figures. */
  says?: string;
  figures?: (about: T, visit: OfficeVisit) => ComponentChildren | Promise<ComponentChildren>;
  stake?: 'typed' | 'any' | ((about: T, visit: OfficeVisit) => number | Promise<number>);
  fields?:
    | readonly ActField[]
    | ((about: T, visit: OfficeVisit) => readonly ActField[] | Promise<readonly ActField[]>);
};

/** The call that reads what it is about: `edits` where the form changes that, so that nothing changed meanwhile is overwritten. */
type Reading<R> = { of?: R; edits?: R };

/** The body of the call, of what was typed. */
type Body<O extends CallId> =
  InputOf<O> extends { body: infer B }
    ? { body: (sent: Sent) => B }
    : InputOf<O> extends { body?: infer B }
      ? { body?: (sent: Sent) => NonNullable<B> }
      : never;

/** An answer that does not say that a second person has to approve. */
type Approved<Answer> = Exclude<Answer, { approval: unknown }>;

/** One call does it, to what the path of the act names; else it has its own `run`. */
type Doing<O extends CallId> =
  | (Body<O> & {
      bytes?: (sent: Sent) => NonNullable<InputOf<O>['bytes']>;
      done: Done | ((answer: Approved<OutputOf<O>>) => Done);
      run?: undefined;
    })
  | { run: Act['run']; done?: undefined };

type Declared<O extends CallId, R extends CallId> = Shared<[R] extends [never] ? undefined : OutputOf<R>> &
  Reading<R> & { call: O } & Doing<O>;

/** The same for the code below, to which all calls are alike. */
type AnyDeclared = Shared<unknown> &
  Reading<CallId> & {
    call: CallId;
    body?: (sent: Sent) => unknown;
    bytes?: (sent: Sent) => unknown;
    done?: Done | ((answer: unknown) => Done) | undefined;
    run?: Act['run'] | undefined;
  };

/** Parameters in the path of an act are called as those of its call. */
const ask = ({ api, params }: Pick<OfficeVisit, 'api' | 'params'>, operation: CallId, input: object = {}) =>
  (api.call as (operation: CallId, input: object) => Promise<AnswerOf<CallId>>)(operation, {
    path: params,
    ...input,
  });

const PAGE_OF_PATH = /^\/[^/]+(\/:\w+)?/;

export function act<O extends CallId, R extends CallId = never>(
  declared: Declared<O, R> & { fields?: readonly ActField[] },
): PlainAct;
export function act<O extends CallId, R extends CallId = never>(declared: Declared<O, R>): Act;
export function act(declared: AnyDeclared): Act {
  const { says, of, edits, figures, stake, fields, body, bytes, done, ...rest } = declared;
  const reads = edits ?? of;
  const read = async (visit: OfficeVisit) => reads && ask(visit, reads);
  return {
    back: PAGE_OF_PATH.exec(declared.path)![0],
    button: declared.title,
    ...rest,
    ...((figures || says) && {
      figures: async (visit) => (
        <>
          {figures && (await figures((await read(visit))?.data, visit))}
          {says && <p>{says}</p>}
        </>
      ),
    }),
    ...(stake && {
      stake: typeof stake === 'string' ? stake : async (visit) => stake((await read(visit))?.data, visit),
    }),
    ...(fields && {
      fields:
        typeof fields !== 'function'
          ? fields
          : async (visit) => {
              const answer = await read(visit);
              const own = await fields(answer?.data, visit);
              return edits ? [version(answer!), ...own] : own;
            },
    }),
    run:
      declared.run ??
      (async (visit, sent) =>
        doneOrWaits(
          await ask(visit, declared.call, {
            ...(body && { body: body(sent) }),
            ...(bytes && { bytes: bytes(sent) }),
            idempotencyKey: visit.idempotencyKey,
            ...(edits && ifMatch(sent)),
          }),
          done!,
        )),
  };
}

/** 202: a second person has to approve it. */
export function doneOrWaits<Answer>(
  { status, data }: { status: number; data: Answer },
  done: Done | ((answer: Approved<Answer>) => Done),
): Done {
  if (status === 202) return 'Pedido registrado. Espera a aprovação de outra pessoa, em Aprovações.';
  return typeof done === 'function' ? done(data as Approved<Answer>) : done;
}

export const reason: ActField = {
  name: 'reason',
  label: 'Motivo',
  hint: 'Fica na trilha, com o seu nome.',
  rows: 2,
  maxLength: 300,
};

const VERSION = 'versao';

/** Which version of a thing the form shows. Sent back as `ifMatch`, what somebody changed meanwhile is not overwritten. */
const version = ({ headers }: Pick<AnswerOf<CallId>, 'headers'>): ActField => ({
  name: VERSION,
  label: '',
  hidden: true,
  value: String(headers.etag ?? ''),
});
export const ifMatch = (sent: Sent): { headers?: Record<string, string> } =>
  sent.text(VERSION) ? { headers: { 'if-match': sent.text(VERSION) } } : {};

export const mayDo = (role: Role, { call, least = 'viewer' }: Act) =>
  mayCall(role, call) && ROLES.indexOf(role) >= ROLES.indexOf(least);

/** Links to acts, of those that this role may do. */
export const ActLinks = ({ visit, acts }: { visit: OfficeVisit; acts: ReadonlyArray<Act | false> }) => (
  <>
    {acts.map(
      (one) =>
        one &&
        mayDo(visit.who!.role, one) && (
          <a key={one.path} class="button small quiet" href={fill(one.path, visit.params)}>
            {one.title}
          </a>
        ),
    )}
  </>
);
