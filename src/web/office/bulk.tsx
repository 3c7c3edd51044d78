import type { ComponentChildren } from 'preact';
import { isProblem } from '#client';
import { hashOf } from '../server/clicks.ts';
import { Sent, type Values } from '../server/visit.ts';
import { plural } from '../text/format.ts';
import { fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import { type Act, mayDo, type PlainAct } from './act.tsx';
import { ActInput, SecondPerson, secondPerson } from './act-page.tsx';
import type { Column } from './columns.tsx';
import { OfficeLayout } from './layout.tsx';
import { missingPage } from './notices.tsx';
import { fill } from './pages.ts';
import { Hidden } from './parts.tsx';
import { type Choosing, Table, TableSection } from './tables.tsx';
import { typed } from './typed.ts';
import type { MakeOfficePage, OfficeForm, OfficeVisit, Who } from './visit.ts';
import { isSessionOver, officeFaults } from './words.ts';

/** Acts on many rows of a list: each row is the act on its own, with its own idempotency key. */
export type Bulk<Row> = Choosing<Row> & {
  acts: ReadonlyArray<{
    /** With one parameter in its path, and the same fields for every row. */
    act: PlainAct;
    /** What would happen to a row. */
    what: (row: Row) => ComponentChildren;
    /** Why nothing would. */
    not?: (row: Row) => string | false | undefined;
    /** Problems that say it is done already, by this run or by somebody else. */
    already?: readonly string[];
  }>;
};

type BulkList<Row> = {
  path: string;
  title: string;
  columns: ReadonlyArray<Column<Row>>;
  bulk: Bulk<Row>;
};

const STATES = { done: 'Feito', already: 'Já estava feito', failed: 'Falhou' };
type State = keyof typeof STATES;
/** Id, label, and once it was tried what became of it: the number of a text. */
type RunRow = [id: string, label: string, state?: State, text?: number];
/** It is kept in the address of its page, sealed: any process of the office goes on with it. */
type Run = {
  by: string;
  path: string;
  act: string;
  key: string;
  values: Values;
  rows: RunRow[];
  texts: string[];
};

const ROWS_AT_ONCE = 10;
const AT_ONCE_MS = 2_000;
const LONGEST_TEXT = 160;
const MOST_TEXTS = 12;
const REST = 'Veja a página da linha.';

const nameOf = ({ path }: Act) => path.split('/').at(-1)!;
const paramOf = ({ path }: Act) => /:(\w+)/.exec(path)![1]!;

export const bulkActsOf = <Row,>({ acts }: Bulk<Row>, who: Who) =>
  acts.filter(({ act }) => mayDo(who.role, act));

/** Under the rows of a list. */
export const BulkButtons = <Row,>({ bulk, who }: { bulk: Bulk<Row>; who: Who }) => (
  <div class="actions office-bulk">
    <span>Com as escolhidas:</span>
    {bulkActsOf(bulk, who).map(({ act }) => (
      <button key={act.path} class="button small quiet" type="submit" name="acao" value={nameOf(act)}>
        {act.title}
      </button>
    ))}
  </div>
);

/** `rowsOf`: the rows of the page of the list that the address names. */
export function bulkPages<Row>(
  list: BulkList<Row>,
  rowsOf: (visit: OfficeVisit) => Promise<Row[]>,
): { pages: Record<string, MakeOfficePage>; forms: Record<string, OfficeForm> } {
  const { path, bulk } = list;
  const [preview, progress] = [`${path}/varios`, `${path}/varios/andamento`];
  const find = (who: Who, name: string | null) =>
    bulkActsOf(bulk, who).find(({ act }) => nameOf(act) === name);
  return {
    pages: {
      [preview]: async (visit) => {
        const found = find(visit.who!, visit.search.get('acao'));
        if (!found) return missingPage(visit);
        const held = await secondPerson(visit, { ...found.act, ...(found.act.stake && { stake: 'typed' }) });
        return previewPage(visit, list, found, { rows: await rowsOf(visit), held });
      },
      [progress]: async (visit) => {
        const run = visit.sealer.unseal(visit.search.get('lote') ?? '') as Run | undefined;
        const isOwn = run?.by === visit.who!.id && run.path === path;
        const found = isOwn ? find(visit.who!, run.act) : undefined;
        if (!run || !found) return missingPage(visit);
        const isNew = run.rows.some(([, , state]) => state === undefined);
        if (isNew) await goOn(visit, run, found);
        const next = `${progress}?lote=${visit.sealer.seal(run)}`;
        const isOver = run.rows.every(([, , state]) => state !== undefined);
        // Loaded again, a run that is over does nothing.
        if (isOver && isNew) return { to: next };
        return progressPage(visit, list, found.act, run, isOver ? undefined : next);
      },
    },
    forms: {
      [preview]: {
        page: preview,
        query: (sent) => sent.text('volta'),
        async act({ who, sealer, idempotencyKey }, sent) {
          const { act } = find(who!, sent.text('acao')) ?? {};
          const [ids, labels] = [sent.all('id'), sent.all('rotulo')];
          if (!act || ids.length === 0) return { to: path };
          const faults = missingIn(act, sent);
          if (faults) {
            const flash = { page: preview, values: sent.values(), faults };
            return { to: `${preview}?${sent.text('volta')}`, flash };
          }
          const run: Run = {
            by: who!.id,
            path,
            act: nameOf(act),
            // Of the run that is tried again: what was done there without our knowing is not done twice.
            key: sent.text('lote') || idempotencyKey,
            values: typed(sent, ...(act.fields ?? []).map(({ name }) => name)),
            rows: ids.map((id, i) => [id, labels[i] ?? id]),
            texts: [],
          };
          return { to: `${progress}?lote=${sealer.seal(run)}` };
        },
      },
    },
  };
}

type BulkAct = Pick<Bulk<unknown>['acts'][number], 'act' | 'already'>;

function missingIn({ fields = [] }: Pick<BulkAct['act'], 'fields'>, sent: Sent): Values | undefined {
  const missing = fields.filter(({ name, optional }) => !optional && sent.text(name) === '');
  return missing.length === 0
    ? undefined
    : Object.fromEntries(missing.map(({ name }) => [name, 'Preencha este campo.']));
}

/** Some more rows. One that fails does not keep the others from being done. */
async function goOn(visit: OfficeVisit, run: Run, { act, already = [] }: BulkAct): Promise<void> {
  const { api, who, isSandbox, sealer } = visit;
  const sent = new Sent(new URLSearchParams(run.values));
  const until = Date.now() + AT_ONCE_MS;
  const waiting = run.rows.filter(([, , state]) => state === undefined).slice(0, ROWS_AT_ONCE);
  for (const row of waiting) {
    if (row !== waiting[0] && Date.now() > until) return;
    const params = { [paramOf(act)]: row[0] };
    const idempotencyKey = hashOf(run.key, row[0]);
    const formVisit = { api, who, isSandbox, sealer, params, idempotencyKey, shown: () => visit };
    const { state, text } = await act
      .run({ ...formVisit, page: fill(act.back, params), entered: undefined }, sent)
      .then(
        (done) => ({ state: 'done' as const, text: noteOf(done) }),
        (error: unknown) => {
          if (isSessionOver(error)) throw error;
          const isDone = isProblem(error) && already.includes(error.code);
          const text = Object.values(officeFaults(error)).join(' ');
          return { state: isDone ? ('already' as const) : ('failed' as const), text };
        },
      );
    row[2] = state;
    row[3] = textIn(run, text.slice(0, LONGEST_TEXT));
  }
}

const noteOf = (done: Awaited<ReturnType<Act['run']>>) =>
  typeof done === 'string' ? done : 'note' in done ? done.note : '';

/** Its number. There are not many different ones; the address has to stay short. */
function textIn({ texts }: Run, text: string): number {
  const kept = texts.includes(text) || texts.length < MOST_TEXTS ? text : REST;
  if (!texts.includes(kept)) texts.push(kept);
  return texts.indexOf(kept);
}

function previewPage<Row>(
  visit: OfficeVisit,
  { path, title, columns, bulk }: BulkList<Row>,
  { act, what, not }: Bulk<Row>['acts'][number],
  { rows, held }: { rows: readonly Row[]; held: string | undefined },
) {
  const { search, flash } = visit;
  const chosen = new Set(search.getAll('id'));
  const there = rows.filter((row) => chosen.has(bulk.idOf(row)));
  const fitting = there.filter((row) => !not?.(row));
  const gone = chosen.size - there.length;
  const back = new URLSearchParams(search);
  for (const name of ['id', 'acao']) back.delete(name);
  const fields = act.fields ?? [];
  const field = fieldsOf(flash);
  return (
    <OfficeLayout
      title={`${act.title}: ${plural(fitting.length, 'linha', 'linhas')}`}
      visit={visit}
      crumbs={[{ href: `${path}?${back}`, text: 'Voltar sem fazer nada' }]}
    >
      {gone > 0 && (
        <p class="note warn" role="status">
          {plural(gone, 'linha escolhida não está', 'linhas escolhidas não estão')} mais nesta página da
          lista.
        </p>
      )}
      <div class="office-what">
        <Table
          caption={title}
          rows={there}
          empty="Nenhuma linha escolhida."
          columns={[{ title: 'O que acontece', show: (row) => not?.(row) || what(row) }, ...columns]}
        />
      </div>
      <SecondPerson text={held && `${held} Vale para cada linha.`} />
      {fitting.length > 0 && (
        <PostForm visit={visit} action={`${path}/varios`} class="panel office-act">
          <Hidden of={{ acao: nameOf(act), volta: String(search) }} />
          {fitting.map((row) => (
            <Hidden key={bulk.idOf(row)} of={{ id: bulk.idOf(row), rotulo: bulk.labelOf(row) }} />
          ))}
          {fields.map((declared) => (
            <ActInput key={declared.name} field={declared} {...field(declared.name)} />
          ))}
          <p class="muted">Uma linha que falhar não impede as outras.</p>
          <button class="button" type="submit">
            {act.button} ({fitting.length})
          </button>
        </PostForm>
      )}
    </OfficeLayout>
  );
}

function progressPage(
  visit: OfficeVisit,
  { path, title }: Pick<BulkList<unknown>, 'path' | 'title'>,
  act: Act,
  run: Run,
  next: string | undefined,
) {
  const tried = run.rows.filter(([, , state]) => state !== undefined);
  const failed = run.rows.filter(([, , state]) => state === 'failed');
  return (
    <OfficeLayout
      title={`${act.title}: ${next ? 'andamento' : 'resultado'}`}
      visit={visit}
      crumbs={[{ href: path, text: title }]}
      next={next}
    >
      <div class="office-progress">
        <label for="andamento">
          {tried.length} de {plural(run.rows.length, 'linha', 'linhas')}
          {failed.length > 0 && `, ${plural(failed.length, 'falhou', 'falharam')}`}
        </label>
        <progress id="andamento" max={run.rows.length} value={tried.length} />
        {next && <a href={next}>Continuar</a>}
      </div>
      {!next && failed.length > 0 && (
        <PostForm visit={visit} action={`${path}/varios`}>
          <Hidden of={{ acao: run.act, lote: run.key, ...run.values }} />
          {failed.map(([id, rotulo]) => (
            <Hidden key={id} of={{ id, rotulo }} />
          ))}
          <button class="button" type="submit">
            Tentar de novo {failed.length === 1 ? 'a que falhou' : `as ${failed.length} que falharam`}
          </button>
        </PostForm>
      )}
      <TableSection
        title="Cada linha"
        caption="Resultado de cada linha"
        rows={run.rows}
        open={([id]) => fill(act.back, { [paramOf(act)]: id })}
        columns={[
          { title: 'Linha', show: ([, label]) => label },
          {
            title: 'Resultado',
            show: ([, , state]) => (
              <span class={`status-word ${state ?? ''}`}>{state ? STATES[state] : 'Esperando'}</span>
            ),
          },
          { title: 'O que disse', show: ([, , , text]) => (text === undefined ? '' : run.texts[text]) },
        ]}
      />
    </OfficeLayout>
  );
}
