import type { ComponentChildren } from 'preact';
import { isProblem } from '#client';
import { redisplayForm } from '../server/form.ts';
import { toPage } from '../server/page.ts';
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
import { type Column, type RowSelection, Table, TableSection, withTitle } from './tables.tsx';
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
/** A selected row. Once the action has run for it, it has a state, and the text that reports the result. */
type RunRow = { id: string; label: string; state?: keyof typeof ROW_STATE_LABELS; text?: string };
/** An action on many rows. The form of the progress page contains all of it, so that any process of the office can continue. */
type BulkRun = { idempotencyKey: string; values: FieldValues; rows: RunRow[] };

/**
 * Parameters of URLs and forms: `acao` is the name of the action, `linha` is a row as JSON, `lote` is the idempotency key of the run, and
 * `volta` is the query of the preview.
 */
const [ACTION_PARAM, ROW_PARAM, RUN_PARAM, PREVIEW_QUERY_PARAM] = ['acao', 'linha', 'lote', 'volta'] as const;

const MAX_BATCH_ROWS = 10;
const MAX_BATCH_MS = 2_000;

/** Returns the last part of the path, which is unique among the actions of a list. */
const getActionName = ({ path }: Action) => path.split('/').at(-1)!;
/** Returns the name of the parameter in the path. */
const getPathParam = ({ path }: Action) => /:(\w+)/.exec(path)![1]!;
const isPending = ({ state }: RunRow) => state === undefined;

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

/** Creates the preview and the form of bulk actions. `readRows` reads the page of the list that the URL of the visit selects. */
export function createBulkRoutes<Row>(
  list: BulkList<Row>,
  readRows: (visit: OfficeVisit) => Promise<Row[]>,
): { pages: Record<string, OfficePageHandler>; forms: Record<string, OfficeFormHandler> } {
  const { path, bulk } = list;
  const bulkPath = `${path}/varios`;
  const findRowAction = (user: StaffUser, name: string | null) =>
    listAllowedRowActions(bulk, user).find(({ action }) => getActionName(action) === name);
  const renderPreviewPage: OfficePageHandler = async (visit) => {
    const rowAction = findRowAction(visit.user!, visit.search.get(ACTION_PARAM));
    if (!rowAction) return notFoundPage(visit);
    const { action } = rowAction;
    // A rule that computes an amount does so for one record, but each row has its own amount: the notice only states the limit.
    const approvalRule =
      typeof action.approvalRule === 'function' ? 'enteredAmountAboveLimit' : action.approvalRule;
    const approvalText = await describeApprovalRule(visit, approvalRule);
    return renderPreview(visit, list, rowAction, { rows: await readRows(visit), approvalText });
  };
  // The response can be a page, because a repeated request changes no record again: an action of a list refuses to run twice, or changes
  // nothing the second time.
  const bulkForm: OfficeFormHandler = {
    pageRoute: bulkPath,
    buildPageQuery: (form) => form.readText(PREVIEW_QUERY_PARAM),
    async handle(visit, form) {
      const rowAction = findRowAction(visit.user!, form.readText(ACTION_PARAM));
      const rows = form.readAllValues(ROW_PARAM).map((row) => JSON.parse(row) as RunRow);
      if (!rowAction || rows.length === 0) return { redirectTo: path };
      const { action } = rowAction;
      const errors = findMissingFieldErrors(action, form);
      const pageQuery = form.readText(PREVIEW_QUERY_PARAM);
      if (errors) return redisplayForm({ pagePath: bulkPath, pageQuery }, form, errors);
      const run: BulkRun = {
        // A retry reuses the key of the first run: a row that succeeded without a response is not performed twice.
        idempotencyKey: form.readText(RUN_PARAM) || visit.idempotencyKey,
        values: pickFields(form, ...(action.fields ?? []).map(({ name }) => name)),
        rows,
      };
      await runNextBatch(visit, run, rowAction);
      return { redirectTo: path, page: toPage(renderProgress(visit.toPageVisit(), list, action, run)) };
    },
  };
  return { pages: { [bulkPath]: renderPreviewPage }, forms: { [bulkPath]: bulkForm } };
}

function findMissingFieldErrors({ fields = [] }: BulkAction, form: SubmittedForm): FieldErrors | undefined {
  const missingFields = fields.filter(({ name, optional }) => !optional && form.readText(name) === '');
  return missingFields.length === 0
    ? undefined
    : Object.fromEntries(missingFields.map(({ name }) => [name, 'Preencha este campo.']));
}

/** Performs the action on the next pending rows, and stores the results in them. A row that fails does not stop the others. */
async function runNextBatch(
  visit: OfficeFormVisit,
  { idempotencyKey, values, rows }: BulkRun,
  rowAction: Pick<RowAction<never>, 'action' | 'alreadyDoneCodes'>,
): Promise<void> {
  const form = new SubmittedForm(new URLSearchParams(values));
  const deadline = Date.now() + MAX_BATCH_MS;
  const batch = rows.filter(isPending).slice(0, MAX_BATCH_ROWS);
  for (const row of batch) {
    if (row !== batch[0] && Date.now() > deadline) return;
    const rowVisit = { ...visit, idempotencyKey: hashParts(idempotencyKey, row.id) };
    Object.assign(row, await runForRow(rowVisit, form, row.id, rowAction));
  }
}

/** Throws only if the session has ended; any other error is the result of the row. */
async function runForRow(
  visit: OfficeFormVisit,
  form: SubmittedForm,
  id: string,
  { action, alreadyDoneCodes = [] }: Pick<RowAction<never>, 'action' | 'alreadyDoneCodes'>,
): Promise<Required<Pick<RunRow, 'state' | 'text'>>> {
  const params = { [getPathParam(action)]: id };
  try {
    const result = await action.run({ ...visit, params, pagePath: fillPath(action.backPath, params) }, form);
    return { state: 'done', text: getNote(result) };
  } catch (error) {
    if (isSessionEnded(error)) throw error;
    const isAlreadyDone = isProblem(error) && alreadyDoneCodes.includes(error.code);
    const text = Object.values(toOfficeFieldErrors(error)).join(' ');
    return { state: isAlreadyDone ? 'already' : 'failed', text };
  }
}

/** Returns the note of the result, or '' for a result that is a page or that of a dry run. */
const getNote = (result: Awaited<ReturnType<Action['run']>>) =>
  typeof result === 'string' ? result : 'note' in result ? result.note : '';

const RowInputs = ({ rows }: { rows: readonly RunRow[] }) => (
  <>
    {rows.map((row) => (
      <input key={row.id} type="hidden" name={ROW_PARAM} value={JSON.stringify(row)} />
    ))}
  </>
);

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
          <RowInputs rows={eligibleRows.map((row) => ({ id: bulk.getId(row), label: bulk.getLabel(row) }))} />
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
  { idempotencyKey, values, rows }: BulkRun,
) {
  const pendingCount = rows.filter(isPending).length;
  const failedRows = rows.filter(({ state }) => state === 'failed');
  const formProps = { visit, action: `${path}/varios` };
  const runInputs = (
    <HiddenInputs
      values={{ ...values, [ACTION_PARAM]: getActionName(action), [RUN_PARAM]: idempotencyKey }}
    />
  );
  return (
    <OfficeLayout
      title={`${action.title}: ${pendingCount === 0 ? 'resultado' : 'andamento'}`}
      visit={visit}
      breadcrumbs={[{ href: path, text: title }]}
    >
      <div class="office-progress">
        <label for="andamento">
          {rows.length - pendingCount} de {pluralize(rows.length, 'linha', 'linhas')}
          {failedRows.length > 0 && `, ${pluralize(failedRows.length, 'falhou', 'falharam')}`}
        </label>
        <progress id="andamento" max={rows.length} value={rows.length - pendingCount} />
      </div>
      {pendingCount > 0 && (
        <PostForm {...formProps}>
          {runInputs}
          <RowInputs rows={rows} />
          <button class="button" type="submit" data-continue>
            Continuar
          </button>
        </PostForm>
      )}
      {pendingCount === 0 && failedRows.length > 0 && (
        <PostForm {...formProps}>
          {runInputs}
          <RowInputs rows={failedRows.map(({ id, label }) => ({ id, label }))} />
          <Submit>
            Tentar de novo {failedRows.length === 1 ? 'a que falhou' : `as ${failedRows.length} que falharam`}
          </Submit>
        </PostForm>
      )}
      <TableSection
        title="Cada linha"
        caption="Resultado de cada linha"
        rows={rows}
        rowHref={({ id }) => fillPath(action.backPath, { [getPathParam(action)]: id })}
        columns={[
          withTitle('label', 'Linha'),
          {
            title: 'Resultado',
            render: ({ state }) => (
              <span class={`status-word ${state ?? ''}`}>
                {state ? ROW_STATE_LABELS[state] : 'Esperando'}
              </span>
            ),
          },
          { title: 'O que disse', render: ({ text }) => text },
        ]}
      />
    </OfficeLayout>
  );
}
