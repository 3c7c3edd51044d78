import type { ComponentChildren } from 'preact';
import { isProblem } from '#client';
import { isUnreachable } from '../server/transport.ts';
import type { Sent, Values } from '../server/visit.ts';
import { Field } from '../ui/field.tsx';
import { inReais } from '../ui/format.ts';
import { fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import { Conflict, settled } from './conflict.tsx';
import { OfficeLayout } from './layout.tsx';
import { forbiddenPage } from './notices.tsx';
import { mayCall, type OperationId, ROLES, type Role } from './staff/client.ts';
import type {
  MakeOfficePage,
  OfficeFlash,
  OfficeForm,
  OfficeFormVisit,
  OfficeOutcome,
  OfficeVisit,
} from './visit.ts';
import { FieldFault, isSessionOver, officeFaults } from './words.ts';

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

type AnswerPage = { title: string; from: { href: string; text: string }; body: ComponentChildren };

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
  /** The money that goes out or is given up, which may take a second person; null: it does whatever the amount. */
  stake?: 'typed' | ((visit: OfficeVisit) => Promise<number | null>);
  fields?: readonly ActField[] | ((visit: OfficeVisit) => Promise<readonly ActField[]>);
  /** What is typed as it will look, beside the form; a button shows it anew. */
  preview?: (visit: OfficeVisit, values: Values) => Promise<ComponentChildren>;
  button: string;
  /** It may take longer than a page. */
  isSlow?: true;
  /**
   * Returns what it did, and where to go if not back; or what it found out, having changed nothing; or a page of its own, where
   * nothing was changed, or the same again changes nothing.
   */
  run: (
    visit: OfficeFormVisit,
    sent: Sent,
  ) => Promise<string | { note: string; to: string } | { found: ComponentChildren } | { page: AnswerPage }>;
};

/** One whose fields are the same whatever it is done to: it can be done to many rows at once. */
export type PlainAct = Act & { fields?: readonly ActField[] };

export const reason: ActField = {
  name: 'reason',
  label: 'Motivo',
  hint: 'Fica na trilha, com o seu nome.',
  rows: 2,
  maxLength: 300,
};

const VERSION = 'versao';
const CHANGED = 'Alguém mudou isto enquanto você escrevia. Escolha o que fica.';

/** Which version of a thing the form shows. Sent back as `ifMatch`, what somebody changed meanwhile is not overwritten. */
export const version = ({
  headers,
}: {
  headers: Record<string, string | string[] | undefined>;
}): ActField => ({
  name: VERSION,
  label: '',
  hidden: true,
  value: String(headers.etag ?? ''),
});
export const ifMatch = (sent: Sent): { headers?: Record<string, string> } =>
  sent.text(VERSION) ? { headers: { 'if-match': sent.text(VERSION) } } : {};

export const fill = (pattern: string, params: Record<string, string>) =>
  pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));

export const mayDo = (role: Role, { call, least = 'viewer' }: Act) =>
  mayCall(role, call) && ROLES.indexOf(role) >= ROLES.indexOf(least);

export const actPage =
  (act: Act): MakeOfficePage =>
  async (given) => {
    const { who, params, flash } = given;
    if (!mayDo(who!.role, act)) return forbiddenPage(given, 'Outra pessoa da equipe pode fazer isto.');
    const back = fill(act.back, params);
    const first = (act.first ?? []).map((field) => {
      const value = given.search.get(field.name) ?? flash?.values?.[field.name];
      return { ...field, value: value?.trim() };
    });
    const isAsked = first.every(({ value, optional }) => value || (optional && value !== undefined));
    if (!isAsked) return askFirst(act, given, first, back);
    const search = new URLSearchParams(given.search);
    for (const { name, value } of first) search.set(name, value!);
    const visit = { ...given, search };
    // What the dry run refuses is said here, before the deed.
    const figures = await act.figures?.(visit).catch((error: unknown) => {
      if (!isProblem(error) || error.status === 404 || error.status === 401) throw error;
      return (
        <p class="alert" role="alert">
          {error.message}
        </p>
      );
    });
    const own = typeof act.fields === 'function' ? await act.fields(visit) : (act.fields ?? []);
    const fields = [...first.map((declared) => ({ ...declared, hidden: true as const })), ...own];
    const field = fieldsOf(flash, Object.fromEntries(fields.map(({ name, value }) => [name, value])));
    const typed = Object.fromEntries(fields.map(({ name }) => [name, field(name).value ?? '']));
    const preview = await act.preview?.(visit, typed);
    return {
      body: (
        <OfficeLayout
          title={act.title}
          visit={visit}
          crumbs={[{ href: back, text: 'Voltar sem fazer nada' }]}
        >
          {flash?.found}
          {figures && <div class="office-figures">{figures}</div>}
          <SecondPerson text={await secondPerson(visit, act)} />
          <div class={preview ? 'office-beside' : undefined}>
            <PostForm
              visit={visit}
              action={fill(act.path, params)}
              class="panel office-act"
              isUpload={fields.some(({ accept }) => accept)}
            >
              {fields.map((declared) => {
                const { name, value: now = '' } = declared;
                const state = field(name);
                if (flash?.isConflict && (state.value ?? '') !== now)
                  return <Conflict key={name} field={declared} now={now} mine={state.value ?? ''} />;
                return <ActInput key={name} field={declared} {...state} />;
              })}
              <div class="actions">
                <button class="button" type="submit">
                  {act.button}
                </button>
                {preview && (
                  <button
                    class="button quiet"
                    type="submit"
                    name={PREVIEW}
                    value="1"
                    formAction={`${fill(act.path, params)}#${PREVIEW}`}
                  >
                    Pré-visualizar
                  </button>
                )}
                <a class="button quiet" href={back}>
                  Cancelar
                </a>
              </div>
            </PostForm>
            {preview && (
              <section class="office-preview" id={PREVIEW} aria-label="Prévia">
                {preview}
              </section>
            )}
          </div>
        </OfficeLayout>
      ),
    };
  };

/** The figures follow on the same page, whose address then says what was asked for. */
function askFirst(act: Act, visit: OfficeVisit, first: readonly ActField[], back: string) {
  return {
    body: (
      <OfficeLayout title={act.title} visit={visit} crumbs={[{ href: back, text: 'Voltar sem fazer nada' }]}>
        <form action={fill(act.path, visit.params)} class="panel office-act">
          {first.map(({ hidden: _, ...declared }) => (
            <ActInput
              key={declared.name}
              field={declared}
              name={declared.name}
              value={declared.value}
              error={undefined}
              focus={false}
            />
          ))}
          <div class="actions">
            <button class="button" type="submit">
              Ver as contas
            </button>
            <a class="button quiet" href={back}>
              Cancelar
            </a>
          </div>
        </form>
      </OfficeLayout>
    ),
  };
}

/** Whether a second person has to approve it: it is said before, not after. */
export async function secondPerson(visit: OfficeVisit, { stake }: Act): Promise<string | undefined> {
  if (!stake) return undefined;
  const { above } = await visit.api.getFourEyes();
  if (above === null) return undefined;
  if (stake === 'typed') return `Acima de ${inReais(above)}, espera a aprovação de outra pessoa.`;
  const amount = await stake(visit);
  if (amount === null) return 'Só vale depois da aprovação de outra pessoa, em Aprovações.';
  return amount > above
    ? `São ${inReais(amount)}, acima de ${inReais(above)}: espera a aprovação de outra pessoa.`
    : undefined;
}

export const SecondPerson = ({ text }: { text: string | undefined }) =>
  text ? (
    <p class="note warn" role="note">
      {text}
    </p>
  ) : null;

export function ActInput(props: {
  field: ActField;
  name: string;
  value: string | undefined;
  error: string | undefined;
  focus: boolean;
}) {
  const { field, ...state } = props;
  const { choices, name, label, hint, hidden, accept, ...rest } = field;
  if (hidden) return <input type="hidden" name={name} value={state.value} />;
  if (accept)
    return (
      <div class="field">
        <label for={name}>{label}</label>
        {hint && <p class="hint">{hint}</p>}
        <input id={name} name={name} type="file" accept={accept} required />
        {state.error && <p class="error">{state.error}</p>}
      </div>
    );
  if (!choices) return <Field {...rest} {...state} label={label} hint={hint} />;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && <p class="hint">{hint}</p>}
      <select id={name} name={name}>
        {Object.entries(choices).map(([value, text]) => (
          <option key={value} value={value} selected={value === state.value}>
            {text}
          </option>
        ))}
      </select>
      {state.error && <p class="error">{state.error}</p>}
    </div>
  );
}

const PREVIEW = 'previa';

/** The form again with what was typed, whole, in the answer itself: a long text fits in no cookie. Nothing was changed. */
async function again(
  act: Act,
  visit: OfficeFormVisit,
  status: number,
  flash: Omit<OfficeFlash, 'page'>,
): Promise<OfficeOutcome> {
  const page = await actPage(act)({ ...visit.shown(), flash: { page: visit.page, ...flash } });
  return 'to' in page ? page : { to: visit.page, page: { ...page, status } };
}

const answered = (visit: OfficeVisit, { title, from, body }: AnswerPage) => ({
  body: (
    <OfficeLayout title={title} visit={visit} crumbs={[from]}>
      {body}
    </OfficeLayout>
  ),
});

export const actForm = (act: Act): OfficeForm => ({
  page: act.path,
  ...(act.isSlow && { isSlow: act.isSlow }),
  async act(visit, given) {
    const typed = given.values(Number.POSITIVE_INFINITY);
    if (act.preview && given.text(PREVIEW)) return again(act, visit, 200, { values: typed });
    const { values, faults } = settled(typed);
    if (faults) return again(act, visit, 412, { values: typed, faults, isConflict: true });
    try {
      const done = await act.run(visit, given.having(values));
      if (typeof done !== 'string' && 'found' in done) return again(act, visit, 200, { values, ...done });
      if (typeof done !== 'string' && 'page' in done)
        return { to: visit.page, page: answered(visit.shown(), done.page) };
      const to = fill(act.back, visit.params);
      const outcome = typeof done === 'string' ? { note: done, to } : done;
      return { to: outcome.to, flash: { page: outcome.to.split('?')[0]!, note: outcome.note } };
    } catch (error) {
      if (isSessionOver(error) || !(isProblem(error) || isUnreachable(error) || error instanceof FieldFault))
        throw error;
      const isConflict = isProblem(error) && error.status === 412;
      const faults = isConflict ? { form: CHANGED } : officeFaults(error, Object.keys(values));
      return again(act, visit, isConflict ? 412 : 422, { values, faults, isConflict });
    }
  },
});

/** Links to acts, of those that this role may do. */
export const ActLinks = ({
  visit,
  acts,
}: {
  visit: OfficeVisit;
  acts: ReadonlyArray<Act | false | undefined>;
}) => (
  <>
    {acts.map(
      (act) =>
        act &&
        mayDo(visit.who!.role, act) && (
          <a key={act.path} class="button small quiet" href={fill(act.path, visit.params)}>
            {act.title}
          </a>
        ),
    )}
  </>
);

/** 202: a second person has to approve it. */
export const doneOrWaits = ({ status }: { status: number }, done: string): string =>
  status === 202 ? 'Pedido registrado. Espera a aprovação de outra pessoa, em Aprovações.' : done;
