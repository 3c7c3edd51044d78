import type { StaffSchemas } from '#staff-client';
import { formatReais, keepAmountsTogether, pluralize, sumReais } from '../text/format.ts';
import { STATEMENT_LINE_LABELS } from '../text/labels.ts';
import { defineAction } from './action.tsx';
import { PAYOUT_LABELS, RETURN_LABELS } from './labels.ts';
import { RecordLayout } from './layout.tsx';
import { Code, DescriptionList, Money, StatusBadge, Table, TableSection, withTitle } from './tables.tsx';
import { defineFileAction } from './uploads.tsx';
import type { OfficePageHandler } from './visit.ts';

const PAYOUT_PATH = '/repasses/:id';
const SALE_RETURN_PATH = '/devolucoes/:id';
/** A CNAB 240 file starts with the bank's code (3 digits), batch 0000 and record type 0. */
const CNAB_240_HEADER = /^\d{7}0/;

export const createPayouts = defineAction({
  path: '/repasses/novos',
  operation: 'createPayouts',
  title: 'Fazer repasses',
  recordOperation: 'getMerchantsReport',
  renderImpact({ data, total }) {
    const payees = data.filter((merchant) => merchant.due > 0);
    return (
      <>
        <p>
          Hoje são devidos <b>{formatReais(total.due)}</b> a {pluralize(payees.length, 'loja', 'lojas')}. Cada
          uma vira um repasse a pagar.
        </p>
        <Table
          caption="O que é devido"
          rows={payees}
          emptyText="Nada é devido hoje."
          columns={[
            withTitle('name', 'Loja'),
            withTitle('due', 'Devido'),
            {
              title: 'Ainda não vencido',
              isNumber: true,
              render: ({ owed, due }) => <Money amount={sumReais(owed, -due)} />,
            },
          ]}
        />
      </>
    );
  },
  approvalRule: ({ total }) => total.due, // the amount that may need an approval
  button: 'Fazer os repasses',
  body: () => ({}),
  success: ({ data }) =>
    `${pluralize(data.length, 'repasse feito', 'repasses feitos')}. Pague pelo banco e marque.`,
});

export const markPayoutPaid = defineAction({
  path: `${PAYOUT_PATH}/pago`,
  operation: 'markPayoutPaid',
  title: 'Marcar como pago',
  recordOperation: 'getPayout',
  renderImpact: ({ amount, merchant }) => (
    <p>
      {formatReais(amount)} a {merchant}.
    </p>
  ),
  fields: [{ name: 'reference', label: 'Comprovante do banco' }],
  success: 'Repasse pago.',
});

export const markPayoutFailed = defineAction({
  path: `${PAYOUT_PATH}/falhou`,
  operation: 'markPayoutFailed',
  title: 'Marcar que falhou',
  description: 'O valor volta a ser devido à loja e entra no próximo repasse.',
  fields: ['reason'],
  success: 'Repasse marcado como falho. O valor é devido de novo.',
});

type BankFileOutcome = StaffSchemas['ReturnFileOutcome'];

const LINE_OUTCOME_LABELS = {
  paid: 'Pago',
  failed: 'Falhou',
  already: 'Já registrado', // recorded before
  waiting: 'Espera o banco',
  bad: 'Com erro',
};

const BankFileLines = ({ title, rows }: { title: string; rows: BankFileOutcome['data'] }) => (
  <TableSection
    title={title}
    rows={rows}
    columns={[
      {
        title: 'O que há',
        render: ({ outcome, message }) => (
          <>
            <StatusBadge status={outcome} labels={LINE_OUTCOME_LABELS} /> {keepAmountsTogether(message)}
          </>
        ),
      },
      {
        title: 'Loja',
        render: ({ merchant, payout }) =>
          payout ? <a href={`/repasses/${payout}`}>{merchant}</a> : 'desconhecida',
      },
      'amount',
      withTitle('line', 'Linha'),
    ]}
  />
);

function BankFileSummary({ result: { totals, data } }: { result: BankFileOutcome }) {
  const badLines = data.filter(({ outcome }) => outcome === 'bad');
  const describeTotal = (outcome: keyof typeof LINE_OUTCOME_LABELS) => {
    const { lines, amount } = totals[outcome];
    return lines === 0 ? 'nenhum' : `${lines} · ${formatReais(amount)}`;
  };
  return (
    <>
      <DescriptionList
        rows={[
          ['Pagos', describeTotal('paid')],
          ['Falharam', describeTotal('failed')],
          ['Já registrados', describeTotal('already')],
          ['Esperam o banco', describeTotal('waiting')],
          ['Com erro', pluralize(totals.bad.lines, 'linha', 'linhas')],
        ]}
      />
      {totals.bad.lines > 0 && (
        <BankFileLines title="Com erro: não mudam nada nem impedem as outras" rows={badLines} />
      )}
      <BankFileLines
        title={totals.bad.lines > 0 ? 'As outras linhas' : 'Linhas do arquivo'}
        rows={data.filter(({ outcome }) => outcome !== 'bad')}
      />
    </>
  );
}

export const importBankFile = defineFileAction<BankFileOutcome>({
  path: '/repasses/retorno',
  operation: 'markPayoutsByFile',
  title: 'Arquivo de retorno do banco',
  backPath: '/repasses',
  hint:
    'O retorno CNAB 240, ou a lista de repasses em CSV com Situação (pago ou falhou), Referência e Motivo preenchidos. ' +
    'Até 2 MiB. Antes de marcar você vê o que mudaria.',
  accept: '.csv,.ret,.txt,text/csv,text/plain',
  detectFormat: ({ bytes }) => (CNAB_240_HEADER.test(bytes.toString('latin1', 0, 8)) ? 'cnab240' : 'csv'),
  send({ api }, { format, encoding, bytes }, _form, { dryRun }) {
    const isCsv = format === 'csv';
    return api.markPayoutsByFile({
      query: { format: isCsv ? 'csv' : 'cnab240', encoding, dry_run: dryRun },
      bytes: { type: isCsv ? 'text/csv' : 'text/plain', content: bytes },
    });
  },
  renderPreview: (result) => <BankFileSummary result={result} />,
  getButtonText({ totals: { paid, failed } }) {
    const lineCount = paid.lines + failed.lines;
    return lineCount > 0 ? `Marcar ${pluralize(lineCount, 'repasse', 'repasses')}` : undefined;
  },
  toResult(result) {
    const children = (
      <div class="office-impact">
        <BankFileSummary result={result} />
      </div>
    );
    return { page: { title: 'O que mudou', backLink: { href: '/repasses', text: 'Repasses' }, children } };
  },
});

export const payoutPage: OfficePageHandler = async (visit) => {
  const payout = await visit.api.getPayout({ path: { id: visit.params.id! }, query: { limit: 100 } });
  const { merchant, status, lines } = payout;
  return (
    <RecordLayout
      title="Repasse"
      heading={`Repasse a ${merchant}`}
      visit={visit}
      actions={status === 'pending' && [markPayoutPaid, markPayoutFailed]}
    >
      <DescriptionList
        record={payout}
        rows={[
          'amount',
          'status',
          ['Loja', merchant, `/lojas/${merchant}`],
          'due_on',
          withTitle('paid_at', 'Pago'),
          withTitle('reference', 'Comprovante', { emptyText: 'nenhum' }),
          payout.reason && withTitle('reason', 'Por que falhou'),
        ]}
        labels={{ status: PAYOUT_LABELS }}
      />
      <TableSection
        title="De que é feito"
        caption="Linhas"
        rows={lines}
        rowHref={({ checkout_hash }) => (checkout_hash ? `/compras/${checkout_hash}` : undefined)}
        columns={['kind', 'amount', 'due_on', 'occurred_at']}
        titles={{ kind: 'Linha', due_on: 'Vence' }}
        labels={{ kind: STATEMENT_LINE_LABELS }}
      />
    </RecordLayout>
  );
};

export const approveReturn = defineAction({
  path: `${SALE_RETURN_PATH}/aprovar`,
  operation: 'approveReturn',
  title: 'Aprovar devolução',
  description: 'O que foi pago a mais volta ao cliente por PIX, agora.',
  button: 'Aprovar',
  success: 'Devolução aprovada.',
});

export const refuseReturn = defineAction({
  path: `${SALE_RETURN_PATH}/recusar`,
  operation: 'refuseReturn',
  title: 'Recusar devolução',
  fields: ['reason'],
  button: 'Recusar',
  success: 'Devolução recusada.',
});

export const returnPage: OfficePageHandler = async (visit) => {
  const { data } = await visit.api.listReturnsThatWaited({ query: { q: visit.params.id! } }); // for an approval
  const returnRecord = data.find(({ id }) => id === visit.params.id);
  if (!returnRecord) return { redirectTo: '/devolucoes' };
  const { checkout_hash: hash } = returnRecord;
  return (
    <RecordLayout
      title="Devolução"
      visit={visit}
      actions={returnRecord.status === 'waiting' && [approveReturn, refuseReturn]}
    >
      <DescriptionList
        record={returnRecord}
        rows={[
          'merchant.name',
          'amount',
          'status',
          'reason',
          withTitle('asked_at', 'Pedida'),
          ['Compra', <Code>{hash}</Code>, `/compras/${hash}`],
          returnRecord.refusal && withTitle('refusal', 'Por que foi recusada'),
        ]}
        labels={{ status: RETURN_LABELS }}
      />
    </RecordLayout>
  );
};
