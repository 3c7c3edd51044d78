import { isProblem } from '#client';
import { isUnreachable } from '../server/transport.ts';
import { inReais } from '../text/format.ts';
import { Field } from '../ui/field.tsx';
import { fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import { type Act, type ActField, type AnswerPage, mayDo } from './act.tsx';
import { Conflict, settled } from './conflict.tsx';
import { OfficeLayout } from './layout.tsx';
import { forbiddenPage } from './notices.tsx';
import { fill, pageOf } from './pages.ts';
import { Buttons } from './parts.tsx';
import type {
  MakeOfficePage,
  OfficeFlash,
  OfficeForm,
  OfficeFormVisit,
  OfficeOutcome,
  OfficeVisit,
} from './visit.ts';
import { FieldFault, isSessionOver, officeFaults } from './words.ts';

const CHANGED = 'Alguém mudou isto enquanto você escrevia. Escolha o que fica.';

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
    return (
      <OfficeLayout title={act.title} visit={visit} crumbs={[{ href: back, text: 'Voltar sem fazer nada' }]}>
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
            <Buttons text={act.button} back={back}>
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
            </Buttons>
          </PostForm>
          {preview && (
            <section class="office-preview" id={PREVIEW} aria-label="Prévia">
              {preview}
            </section>
          )}
        </div>
      </OfficeLayout>
    );
  };

/** The figures follow on the same page, whose address then says what was asked for. */
function askFirst(act: Act, visit: OfficeVisit, first: readonly ActField[], back: string) {
  return (
    <OfficeLayout title={act.title} visit={visit} crumbs={[{ href: back, text: 'Voltar sem fazer nada' }]}>
      <form action={fill(act.path, visit.params)} class="panel office-act">
        {first.map(({ hidden: _, ...declared }) => (
          <ActInput key={declared.name} field={declared} name={declared.name} value={declared.value} />
        ))}
        <Buttons text="Ver as contas" back={back} />
      </form>
    </OfficeLayout>
  );
}

/** Whether a second person has to approve it: it is said before, not after. */
export async function secondPerson(visit: OfficeVisit, { stake }: Act): Promise<string | undefined> {
  if (!stake) return undefined;
  const { above } = await visit.api.getFourEyes();
  if (above === null) return undefined;
  if (stake === 'typed') return `Acima de ${inReais(above)}, espera a aprovação de outra pessoa.`;
  if (stake === 'any') return 'Só vale depois da aprovação de outra pessoa, em Aprovações.';
  const amount = await stake(visit);
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
  error?: string | undefined;
  focus?: boolean;
}) {
  const { field, ...state } = props;
  const { choices, name, label, hint, hidden, accept, ...rest } = field;
  if (hidden) return <input type="hidden" name={name} value={state.value} />;
  if (!choices && !accept) return <Field {...rest} {...state} label={label} hint={hint} />;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && <p class="hint">{hint}</p>}
      {accept && <input id={name} name={name} type="file" accept={accept} required />}
      {choices && (
        <select id={name} name={name}>
          {Object.entries(choices).map(([value, text]) => (
            <option key={value} value={value} selected={value === state.value}>
              {text}
            </option>
          ))}
        </select>
      )}
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
  return 'to' in page ? page : { to: visit.page, page: { ...pageOf(page), status } };
}

const answered = (visit: OfficeVisit, { title, from, body }: AnswerPage) => (
  <OfficeLayout title={title} visit={visit} crumbs={[from]}>
    {body}
  </OfficeLayout>
);

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
        return { to: visit.page, page: pageOf(answered(visit.shown(), done.page)) };
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
