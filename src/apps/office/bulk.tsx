import type { ComponentChildren } from 'preact';
import { isProblem } from '#client';
import { redisplayForm } from '../server/form.ts';
import { fillPath, hashParts } from '../server/personal-routes.ts';
import { type FieldErrors, type FieldValues, SubmittedForm } from '../server/submitted-form.ts';
import { pluralize } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { createFieldLookup, HiddenInputs, PostForm } from '../ui/forms.tsx';
import { type Action, type BulkAction, mayPerform } from './action.tsx';
import { ActionInput, ApprovalNotice, describeApprovalRule } from './action-page.tsx';
import { pickFields } from './form-values.ts';
import { notFoundPage, OfficeLayout } from './layout.tsx';
import { isSessionEnded, toOfficeFieldErrors } from './problem-texts.ts';
import { type Column, type RowSelection, Table, TableSection } from './tables.tsx';
import type {
  OfficeFormHandler,
  OfficeFormVisit,
  OfficePageHandler,
  OfficeVisit,
  StaffUser,
} from './visit.ts';

/** An action that a list offers for many rows. It runs once per row, with an idempotency key for each row. */
type RowAction<Row> = {
  /** An action with one parameter in its path. */
  action: BulkAction;
  describeEffect: (row: Row) => ComponentChildren;
  /** Returns why the action does not apply to the row, or a falsy value if it does. */
  explainIneligible?: (row: Row) => string | false | undefined;
  /** Problem codes which say that the action was performed before, by this run or by another user. */
  alreadyDoneCodes?: readonly string[];
};

export type BulkOptions<Row> = RowSelection<Row> & { actions: ReadonlyArray<RowAction<Row>> };

type BulkList<Row> = {
  path: string;
  title: string;
  columns: ReadonlyArray<Column<Row>>;
  bulk: BulkOptions<Row>;
};

const ROW_STATE_LABELS = { done: 'Feito', already: 'Já estava feito', failed: 'Falhou' };
type RowState = keyof typeof ROW_STATE_LABELS;
/** Once the action has run for a row, the row has a state, and the index of its result in `BulkRun.texts`. A tuple keeps the URL short. */
type RunRow = [id: string, label: string, state?: RowState, textIndex?: number];
/**
 * The state of an action on many rows. It is stored, encrypted, in the URL and the form of the progress page, so that any process of the
 * office can continue the run.
 */
type BulkRun = {
  userId: string;
  listPath: string;
  actionName: string;
  idempotencyKey: string;
  values: FieldValues;
  rows: RunRow[];
  texts: string[];
};

/**
 * Parameters of URLs and forms: `acao` is the name of the action, `id` and `rotulo` are the id and the label of a row, and `volta` is the
 * query of the preview. `lote` is the encrypted run; in a retry of failed rows it is the idempotency key of the first run.
 */
const [ACTION_PARAM, RUN_PARAM, PREVIEW_QUERY_PARAM] = ['acao', 'lote', 'volta'] as const;

const MAX_BATCH_ROWS = 10;
const MAX_BATCH_MS = 2_000;
/** Limits of the texts of a run, which keep its URL short. */
const MAX_TEXT_LENGTH = 160;
const MAX_TEXTS = 12;
/** Replaces further texts. */
const OVERFLOW_TEXT = 'Veja a página da linha.';

/** Returns the last part of the path, which is unique among the actions of a list. */
const getActionName = ({ path }: Action) => path.split('/').at(-1)!;
/** Returns the name of the parameter in the path. */
const getPathParam = ({ path }: Action) => /:(\w+)/.exec(path)![1]!;
const isPending = ([, , state]: RunRow) => state === undefined;

export const listAllowedRowActions = <Row,>({ actions }: BulkOptions<Row>, user: StaffUser) =>
  actions.filter(({ action }) => mayPerform(user.role, action));

export const BulkButtons = <Row,>({ bulk, user }: { bulk: BulkOptions<Row>; user: StaffUser }) => (
  <div class="actions office-bulk">
    <span>Com as escolhidas:</span>
    {listAllowedRowActions(bulk, user).map(({ action }) => (
      <button
        key={action.path}
        class="button small quiet"
        type="submit"
        name={ACTION_PARAM}
        value={getActionName(action)}
      >
        {action.title}
      </button>
    ))}
  </div>
);

/** Creates the preview and the progress page of bulk actions. `readRows` reads the page of the list that the URL of the visit selects. */
export function createBulkRoutes<Row>(
  list: BulkList<Row>,
  readRows: (visit: OfficeVisit) => Promise<Row[]>,
): { pages: Record<string, OfficePageHandler>; forms: Record<string, OfficeFormHandler> } {
  const { path, bulk } = list;
  const [previewPath, progressPath] = [`${path}/varios`, `${path}/varios/andamento`];
  const findRowAction = (user: StaffUser, name: string | null) =>
    listAllowedRowActions(bulk, user).find(({ action }) => getActionName(action) === name);
  type AllowedRowAction = NonNullable<ReturnType<typeof findRowAction>>;
  /** Returns undefined for a run of another user or another list. */
  const decryptRun = (visit: Pick<OfficeVisit, 'urlCipher' | 'user'>, encryptedRun: string | null) => {
    const run = visit.urlCipher.decrypt(encryptedRun ?? '') as BulkRun | undefined;
    const isOwn = run?.userId === visit.user!.id && run.listPath === path;
    const rowAction = isOwn ? findRowAction(visit.user!, run.actionName) : undefined;
    return run && rowAction && { run, rowAction };
  };
  const continueRun = async (visit: OfficeFormVisit, run: BulkRun, rowAction: AllowedRowAction) => {
    await runNextBatch(visit, run, rowAction);
    return { redirectTo: `${progressPath}?${RUN_PARAM}=${visit.urlCipher.encrypt(run)}` };
  };
  return {
    pages: {
      [previewPath]: async (visit) => {
        const rowAction = findRowAction(visit.user!, visit.search.get(ACTION_PARAM));
        if (!rowAction) return notFoundPage(visit);
        const { action } = rowAction;
        // A rule that computes an amount does so for one record, but each row has its own amount: the notice only states the limit.
        const approvalRule =
          typeof action.approvalRule === 'function' ? 'enteredAmountAboveLimit' : action.approvalRule;
        const approvalText = await describeApprovalRule(visit, approvalRule);
        return renderPreview(visit, list, rowAction, { rows: await readRows(visit), approvalText });
      },
      [progressPath]: async (visit) => {
        const ownRun = decryptRun(visit, visit.search.get(RUN_PARAM));
        return ownRun
          ? renderProgress(visit, list, ownRun.rowAction.action, ownRun.run)
          : notFoundPage(visit);
      },
    },
    forms: {
      [previewPath]: {
        page: previewPath,
        buildPageQuery: (form) => form.readText(PREVIEW_QUERY_PARAM),
        async handle(visit, form) {
          const rowAction = findRowAction(visit.user!, form.readText(ACTION_PARAM));
          if (!rowAction || form.readAllValues('id').length === 0) return { redirectTo: path };
          const errors = findMissingFieldErrors(rowAction.action, form);
          const pageQuery = form.readText(PREVIEW_QUERY_PARAM);
          if (errors) return redisplayForm({ page: previewPath, pageQuery }, form, errors);
          return continueRun(visit, createRun(visit, form, path, rowAction.action), rowAction);
        },
      },
      [progressPath]: {
        page: progressPath,
        async handle(visit, form) {
          const ownRun = decryptRun(visit, form.readText(RUN_PARAM));
          return ownRun ? continueRun(visit, ownRun.run, ownRun.rowAction) : { redirectTo: path };
        },
      },
    },
  };
}

function createRun(
  { user, idempotencyKey }: OfficeFormVisit,
  form: SubmittedForm,
  listPath: string,
  action: BulkAction,
): BulkRun {
  const labels = form.readAllValues('rotulo');
  return {
    userId: user!.id,
    listPath,
    actionName: getActionName(action),
    // A retry reuses the key of the first run: a row that succeeded without a response is not performed twice.
    idempotencyKey: form.readText(RUN_PARAM) || idempotencyKey,
    values: pickFields(form, ...(action.fields ?? []).map(({ name }) => name)),
    rows: form.readAllValues('id').map((id, i) => [id, labels[i] ?? id]),
    texts: [],
  };
}

function findMissingFieldErrors({ fields = [] }: BulkAction, form: SubmittedForm): FieldErrors | undefined {
  const missingFields = fields.filter(({ name, optional }) => !optional && form.readText(name) === '');
  return missingFields.length === 0
    ? undefined
    : Object.fromEntries(missingFields.map(({ name }) => [name, 'Preencha este campo.']));
}

/** Performs the action on the next pending rows, and adds the results to the run. A row that fails does not stop the others. */
async function runNextBatch(
  visit: OfficeFormVisit,
  run: BulkRun,
  rowAction: Pick<RowAction<never>, 'action' | 'alreadyDoneCodes'>,
): Promise<void> {
  const form = new SubmittedForm(new URLSearchParams(run.values));
  const deadline = Date.now() + MAX_BATCH_MS;
  const batch = run.rows.filter(isPending).slice(0, MAX_BATCH_ROWS);
  for (const row of batch) {
    if (row !== batch[0] && Date.now() > deadline) return;
    const [id, label] = row;
    const idempotencyKey = hashParts(run.idempotencyKey, id);
    const { state, text } = await runForRow({ ...visit, idempotencyKey }, form, id, rowAction);
    run.rows[run.rows.indexOf(row)] = [id, label, state, addText(run, text.slice(0, MAX_TEXT_LENGTH))];
  }
}

/** Throws only if the session has ended; any other error is the result of the row. */
async function runForRow(
  visit: OfficeFormVisit,
  form: SubmittedForm,
  id: string,
  { action, alreadyDoneCodes = [] }: Pick<RowAction<never>, 'action' | 'alreadyDoneCodes'>,
): Promise<{ state: RowState; text: string }> {
  const params = { [getPathParam(action)]: id };
  try {
    const result = await action.run({ ...visit, params, page: fillPath(action.backPath, params) }, form);
    return { state: 'done', text: getNote(result) };
  } catch (error) {
    if (isSessionEnded(error)) throw error;
    const isAlreadyDone = isProblem(error) && alreadyDoneCodes.includes(error.code);
    const text = Object.values(toOfficeFieldErrors(error)).join(' ');
    return { state: isAlreadyDone ? 'already' : 'failed', text };
  }
}

/** Returns the note of the result, or '' for a result that is a page or a trial. */
const getNote = (result: Awaited<ReturnType<Action['run']>>) =>
  typeof result === 'string' ? result : 'note' in result ? result.note : '';

/** Returns the index of the text. Equal texts are stored once, and their number is limited, to keep the URL short. */
function addText({ texts }: BulkRun, text: string): number {
  const storedText = texts.includes(text) || texts.length < MAX_TEXTS ? text : OVERFLOW_TEXT;
  if (!texts.includes(storedText)) texts.push(storedText);
  return texts.indexOf(storedText);
}

function renderPreview<Row>(
  visit: OfficeVisit,
  { path, title, columns, bulk }: BulkList<Row>,
  { action, describeEffect, explainIneligible }: RowAction<Row>,
  { rows, approvalText }: { rows: readonly Row[]; approvalText: string | undefined },
) {
  const { search, flash } = visit;
  const selectedIds = new Set(search.getAll('id'));
  const selectedRows = rows.filter((row) => selectedIds.has(bulk.getId(row)));
  const eligibleRows = selectedRows.filter((row) => !explainIneligible?.(row));
  const missingCount = selectedIds.size - selectedRows.length;
  const listQuery = new URLSearchParams(search);
  for (const name of ['id', ACTION_PARAM]) listQuery.delete(name);
  const getFieldState = createFieldLookup(flash);
  return (
    <OfficeLayout
      title={`${action.title}: ${pluralize(eligibleRows.length, 'linha', 'linhas')}`}
      visit={visit}
      breadcrumbs={[{ href: `${path}?${listQuery}`, text: 'Voltar sem fazer nada' }]}
    >
      {missingCount > 0 && (
        <p class="note warn" role="status">
          {pluralize(missingCount, 'linha escolhida não está', 'linhas escolhidas não estão')} mais nesta
          página da lista.
        </p>
      )}
      <div class="office-impact">
        <Table
          caption={title}
          rows={selectedRows}
          emptyText="Nenhuma linha escolhida."
          columns={[
            { title: 'O que acontece', render: (row) => explainIneligible?.(row) || describeEffect(row) },
            ...columns,
          ]}
        />
      </div>
      <ApprovalNotice text={approvalText && `${approvalText} Vale para cada linha.`} />
      {eligibleRows.length > 0 && (
        <PostForm visit={visit} action={`${path}/varios`} class="panel office-action">
          <HiddenInputs
            values={{ [ACTION_PARAM]: getActionName(action), [PREVIEW_QUERY_PARAM]: String(search) }}
          />
          {eligibleRows.map((row) => (
            <HiddenInputs
              key={bulk.getId(row)}
              values={{ id: bulk.getId(row), rotulo: bulk.getLabel(row) }}
            />
          ))}
          {(action.fields ?? []).map((field) => (
            <ActionInput key={field.name} field={field} {...getFieldState(field.name)} />
          ))}
          <p class="muted">Uma linha que falhar não impede as outras.</p>
          <Submit>
            {action.button} ({eligibleRows.length})
          </Submit>
        </PostForm>
      )}
    </OfficeLayout>
  );
}

/** Renders the progress of a run. While rows are pending, a form runs the next batch; the script of the office submits the form. */
function renderProgress(
  visit: OfficeVisit,
  { path, title }: Pick<BulkList<unknown>, 'path' | 'title'>,
  action: Action,
  run: BulkRun,
) {
  const isFinished = !run.rows.some(isPending);
  const finishedCount = run.rows.filter((row) => !isPending(row)).length;
  const failedRows = run.rows.filter(([, , state]) => state === 'failed');
  return (
    <OfficeLayout
      title={`${action.title}: ${isFinished ? 'resultado' : 'andamento'}`}
      visit={visit}
      breadcrumbs={[{ href: path, text: title }]}
    >
      <div class="office-progress">
        <label for="andamento">
          {finishedCount} de {pluralize(run.rows.length, 'linha', 'linhas')}
          {failedRows.length > 0 && `, ${pluralize(failedRows.length, 'falhou', 'falharam')}`}
        </label>
        <progress id="andamento" max={run.rows.length} value={finishedCount} />
      </div>
      {!isFinished && (
        <PostForm visit={visit} action={`${path}/varios/andamento`}>
          <HiddenInputs values={{ [RUN_PARAM]: visit.urlCipher.encrypt(run) }} />
          <button class="button" type="submit" data-continue>
            Continuar
          </button>
        </PostForm>
      )}
      {isFinished && failedRows.length > 0 && (
        <PostForm visit={visit} action={`${path}/varios`}>
          <HiddenInputs
            values={{ [ACTION_PARAM]: run.actionName, [RUN_PARAM]: run.idempotencyKey, ...run.values }}
          />
          {failedRows.map(([id, rotulo]) => (
            <HiddenInputs key={id} values={{ id, rotulo }} />
          ))}
          <Submit>
            Tentar de novo {failedRows.length === 1 ? 'a que falhou' : `as ${failedRows.length} que falharam`}
          </Submit>
        </PostForm>
      )}
      <TableSection
        title="Cada linha"
        caption="Resultado de cada linha"
        rows={run.rows}
        rowHref={([id]) => fillPath(action.backPath, { [getPathParam(action)]: id })}
        columns={[
          { title: 'Linha', render: ([, label]) => label },
          {
            title: 'Resultado',
            render: ([, , state]) => (
              <span class={`status-word ${state ?? ''}`}>
                {state ? ROW_STATE_LABELS[state] : 'Esperando'}
              </span>
            ),
          },
          {
            title: 'O que disse',
            render: ([, , , textIndex]) => (textIndex === undefined ? '' : run.texts[textIndex]),
          },
        ]}
      />
    </OfficeLayout>
  );
}
