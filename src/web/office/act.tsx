import type { ComponentChildren } from 'preact';
import { isProblem } from '#client';
import type { Page } from '../server/page.ts';
import type { Sent, Values } from '../server/visit.ts';
import { Field } from '../ui/field.tsx';
import { fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import { OfficeLayout } from './layout.tsx';
import { forbiddenPage } from './notices.tsx';
import { mayCall, type OperationId, ROLES, type Role } from './staff/client.ts';
import type { MakeOfficePage, OfficeForm, OfficeFormVisit, OfficeVisit } from './visit.ts';

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
  fields?: readonly ActField[] | ((visit: OfficeVisit) => Promise<readonly ActField[]>);
  /** What is typed as it will look, beside the form; a button shows it anew. */
  preview?: (visit: OfficeVisit, values: Values) => Promise<ComponentChildren>;
  button: string;
  /** Returns what it did, and where to go if not back. */
  run: (visit: OfficeFormVisit, sent: Sent) => Promise<string | { note: string; to: string }>;
};

export const reason: ActField = {
  name: 'reason',
  label: 'Motivo',
  hint: 'Fica na trilha, com o seu nome.',
  rows: 2,
  maxLength: 300,
};

const fill = (pattern: string, params: Record<string, string>) =>
  pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));

const mayDo = (role: Role, { call, least = 'viewer' }: Act) =>
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
    const search = new URLSearchParams(first.map(({ name, value }) => [name, value!]));
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
          {figures && <div class="office-figures">{figures}</div>}
          <div class={preview ? 'office-beside' : undefined}>
            <PostForm
              visit={visit}
              action={fill(act.path, params)}
              class="panel office-act"
              isUpload={fields.some(({ accept }) => accept)}
            >
              {fields.map((declared) => (
                <ActInput key={declared.name} field={declared} {...field(declared.name)} />
              ))}
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

function ActInput(props: {
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
/** More than any field takes. */
const LONGEST_SHOWN = 250_000;

/** The page of the act with what was typed, whole: nothing was saved. */
async function previewPage(act: Act, visit: OfficeFormVisit, sent: Sent): Promise<Page> {
  const flash = { page: visit.page, values: sent.values(LONGEST_SHOWN) };
  const page = await actPage(act)({ ...visit.shown(), flash });
  if ('to' in page) throw new Error(`${act.path} has no page`);
  return page;
}

export const actForm = (act: Act): OfficeForm => ({
  page: act.path,
  async act(visit, sent) {
    if (act.preview && sent.text(PREVIEW))
      return { to: visit.page, page: await previewPage(act, visit, sent) };
    const done = await act.run(visit, sent);
    const to = fill(act.back, visit.params);
    const outcome = typeof done === 'string' ? { note: done, to } : done;
    return { to: outcome.to, flash: { page: outcome.to.split('?')[0]!, note: outcome.note } };
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
