import type { ComponentChildren } from 'preact';
import { isProblem } from '#client';
import { redirectWithNote } from '../server/form.ts';
import { toPage } from '../server/page.ts';
import { fillPath } from '../server/personal-routes.ts';
import { FieldError, type FieldErrors } from '../server/submitted-form.ts';
import { isUnreachable } from '../server/transport.ts';
import { formatReais } from '../text/format.ts';
import { createFieldLookup, Field, type FieldState, Options, PostForm } from '../ui/forms.tsx';
import { type Action, type ActionField, mayPerform } from './action.tsx';
import { Alert, FormButtons, forbiddenPage, OfficeLayout } from './layout.tsx';
import { isSessionEnded, toOfficeFieldErrors } from './problem-texts.ts';
import type {
  OfficeFlash,
  OfficeFormHandler,
  OfficeFormVisit,
  OfficeOutcome,
  OfficePageHandler,
  OfficeVisit,
} from './visit.ts';

const CONFLICT_TEXT =
  'Alguém mudou isto enquanto você escrevia. Compare com o que está lá agora, e salve o que deve ficar.';
const PREVIEW_FIELD = 'previa';

export const createActionPage =
  (action: Action): OfficePageHandler =>
  async (originalVisit) => {
    const { user, params, flash } = originalVisit;
    if (!mayPerform(user!.role, action))
      return forbiddenPage(originalVisit, 'Outra pessoa da equipe pode fazer isto.');
    const backPath = fillPath(action.backPath, params);
    const firstStepFields = (action.firstStepFields ?? []).map((field) => {
      const value = originalVisit.search.get(field.name) ?? flash?.values?.[field.name];
      return { ...field, value: value?.trim() };
    });
    // An optional field is filled in if the URL has it, even empty.
    const isFirstStepDone = firstStepFields.every(
      ({ value, optional }) => value || (optional && value !== undefined),
    );
    const renderFirstStepWith = (errors: FieldErrors = {}) =>
      renderFirstStep(action, originalVisit, firstStepFields, backPath, errors);
    if (!isFirstStepDone) return renderFirstStepWith(flash?.errors);
    const search = new URLSearchParams(originalVisit.search);
    for (const { name, value } of firstStepFields) search.set(name, value!);
    const visit = { ...originalVisit, search };
    const { impact, firstStepErrors } = await computeImpact(action, visit, firstStepFields[0]);
    if (firstStepErrors) return renderFirstStepWith(firstStepErrors);
    const actionFields =
      typeof action.fields === 'function' ? await action.fields(visit) : (action.fields ?? []);
    const fields = [
      ...firstStepFields.map((field) => ({ ...field, hidden: true as const })),
      ...actionFields,
    ];
    const getFieldState = createFieldLookup(
      flash,
      Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    );
    const typedValues = Object.fromEntries(fields.map(({ name }) => [name, getFieldState(name).value ?? '']));
    const preview = await action.preview?.(visit, typedValues);
    const actionPath = fillPath(action.path, params);
    return (
      <OfficeLayout
        title={action.title}
        visit={visit}
        breadcrumbs={[{ href: backPath, text: 'Voltar sem fazer nada' }]}
      >
        {flash?.trialResult}
        {impact && <div class="office-figures">{impact}</div>}
        <ApprovalNotice text={await describeApprovalRule(visit, action.approvalRule)} />
        <div class={preview ? 'office-beside' : undefined}>
          <PostForm
            visit={visit}
            action={actionPath}
            class="panel office-action"
            isUpload={fields.some(({ accept }) => accept)}
          >
            {fields.map((field) => {
              const state = getFieldState(field.name);
              return flash?.isConflict && (state.value ?? '') !== (field.value ?? '') ? (
                <ConflictInput key={field.name} field={field} {...state} />
              ) : (
                <ActionInput key={field.name} field={field} {...state} />
              );
            })}
            <FormButtons submitText={action.button} cancelPath={backPath}>
              {preview && (
                <button
                  class="button quiet"
                  type="submit"
                  name={PREVIEW_FIELD}
                  value="1"
                  formAction={`${actionPath}#${PREVIEW_FIELD}`}
                >
                  Pré-visualizar
                </button>
              )}
            </FormButtons>
          </PostForm>
          {preview && (
            <section class="office-preview" id={PREVIEW_FIELD} aria-label="Prévia">
              {preview}
            </section>
          )}
        </div>
      </OfficeLayout>
    );
  };

/**
 * Computes the impact, which finds problems before the action is performed. Returns a problem as an error of the first step, if that
 * has fields, or else as the impact.
 */
async function computeImpact(
  action: Action,
  visit: OfficeVisit,
  firstField: ActionField | undefined,
): Promise<{ impact?: ComponentChildren; firstStepErrors?: FieldErrors }> {
  try {
    return { impact: await action.renderImpact?.(visit) };
  } catch (error) {
    if (error instanceof FieldError) return { firstStepErrors: { [error.field]: error.message } };
    if (!isProblem(error) || error.status === 401) throw error;
    const text = Object.values(toOfficeFieldErrors(error)).join(' ');
    if (firstField && [400, 404, 422].includes(error.status))
      return { firstStepErrors: { [firstField.name]: text } };
    if (error.status === 404) throw error;
    return { impact: <Alert text={text} /> };
  }
}

/**
 * Renders a GET form that leads to this page again, with the values in its URL. An approval rule that computes the amount needs these
 * values, so its notice is left out.
 */
async function renderFirstStep(
  action: Action,
  visit: OfficeVisit,
  firstStepFields: readonly ActionField[],
  backPath: string,
  errors: FieldErrors,
) {
  return (
    <OfficeLayout
      title={action.title}
      visit={visit}
      breadcrumbs={[{ href: backPath, text: 'Voltar sem fazer nada' }]}
    >
      {typeof action.approvalRule !== 'function' && (
        <ApprovalNotice text={await describeApprovalRule(visit, action.approvalRule)} />
      )}
      <form action={fillPath(action.path, visit.params)} class="panel office-action">
        {firstStepFields.map((field) => (
          <ActionInput key={field.name} field={field} value={field.value} error={errors[field.name]} />
        ))}
        <FormButtons submitText="Ver as contas" cancelPath={backPath} />
      </form>
    </OfficeLayout>
  );
}

/** Describes, before the action is performed, when a second person has to approve it. Returns undefined if that is not necessary. */
export async function describeApprovalRule(visit: OfficeVisit, approvalRule: Action['approvalRule']) {
  if (!approvalRule) return undefined;
  const { above: approvalLimit } = await visit.api.getFourEyes();
  if (approvalLimit === null) return undefined;
  if (approvalRule === 'enteredAmountAboveLimit')
    return `Acima de ${formatReais(approvalLimit)}, espera a aprovação de outra pessoa.`;
  if (approvalRule === 'always') return 'Só vale depois da aprovação de outra pessoa, em Aprovações.';
  if (typeof approvalRule === 'object') return approvalRule.text;
  const amount = await approvalRule(visit);
  return amount > approvalLimit
    ? `São ${formatReais(amount)}, acima de ${formatReais(approvalLimit)}: espera a aprovação de outra pessoa.`
    : undefined;
}

export const ApprovalNotice = ({ text }: { text: string | undefined }) =>
  text ? (
    <p class="note warn" role="note">
      {text}
    </p>
  ) : null;

export function ActionInput({ field, ...state }: { field: ActionField } & FieldState) {
  const { choices, name, label, hint, hidden, accept, ...inputProps } = field;
  if (hidden) return <input type="hidden" name={name} value={state.value} />;
  if (!choices && !accept) return <Field {...inputProps} {...state} name={name} label={label} hint={hint} />;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && <p class="hint">{hint}</p>}
      {accept && <input id={name} name={name} type="file" accept={accept} required />}
      {choices && (
        <select id={name} name={name}>
          <Options choices={choices} selected={state.value} />
        </select>
      )}
      {state.error && <p class="error">{state.error}</p>}
    </div>
  );
}

/**
 * Renders the form again with all typed values in the response itself, because a long text does not fit in a cookie. The action has
 * changed nothing.
 */
async function redisplayForm(
  action: Action,
  visit: OfficeFormVisit,
  { status, ...flash }: Omit<OfficeFlash, 'pagePath'> & { status: number },
): Promise<OfficeOutcome> {
  const page = await createActionPage(action)({
    ...visit.toPageVisit(),
    flash: { pagePath: visit.pagePath, ...flash },
  });
  return 'redirectTo' in page ? page : { redirectTo: visit.pagePath, page: { ...toPage(page), status } };
}

export const createActionForm = (action: Action): OfficeFormHandler => ({
  pageRoute: action.path,
  ...(action.isSlow && { isSlow: action.isSlow }),
  async handle(visit, form) {
    const values = form.listRedisplayableValues({ maxLength: Number.POSITIVE_INFINITY });
    if (action.preview && form.readText(PREVIEW_FIELD))
      return redisplayForm(action, visit, { status: 200, values });
    try {
      const outcome = await action.run(visit, form);
      const result =
        typeof outcome === 'string'
          ? { note: outcome, redirectTo: fillPath(action.backPath, visit.params) }
          : outcome;
      if ('trialResult' in result) return redisplayForm(action, visit, { status: 200, values, ...result });
      if ('note' in result) return redirectWithNote(result.redirectTo, result.note);
      const { backLink, ...layoutProps } = result.page;
      const page = <OfficeLayout {...layoutProps} visit={visit.toPageVisit()} breadcrumbs={[backLink]} />;
      return { redirectTo: visit.pagePath, page: toPage(page) };
    } catch (error) {
      const isExpected = isProblem(error) || isUnreachable(error) || error instanceof FieldError;
      if (isSessionEnded(error) || !isExpected) throw error;
      const isConflict = isProblem(error) && error.status === 412;
      const errors = isConflict ? { form: CONFLICT_TEXT } : toOfficeFieldErrors(error, Object.keys(values));
      return redisplayForm(action, visit, { status: isConflict ? 412 : 422, values, errors, isConflict });
    }
  },
});

/** Renders the typed version of a field and, beside it, the version that another user saved meanwhile. */
function ConflictInput({ field, ...state }: { field: ActionField } & FieldState) {
  const { hidden, choices, value = '' } = field;
  // A hidden field holds the version of the record. The user now sees the current version, so the form sends that one.
  if (hidden) return <ActionInput field={field} {...state} value={value} />;
  return (
    <div class="office-conflict">
      <ActionInput field={field} {...state} />
      <p>
        <b>Como está agora</b>
        <span class="office-text">{(choices?.[value] ?? value) || '(vazio)'}</span>
      </p>
    </div>
  );
}
