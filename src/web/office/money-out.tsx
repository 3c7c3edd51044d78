import { inReais, plural, whole } from '../text/format.ts';
import { act, reason } from './act.tsx';
import { code, day, moment, money, named, number, state, text } from './columns.tsx';
import { APPROVAL, APPROVAL_KIND, PAYOUT } from './lists/names.ts';
import { Money, Status } from './parts.tsx';
import { RecordLayout } from './record.tsx';
import type { StaffSchemas } from './staff/client.ts';
import { Facts, Table, TableSection } from './tables.tsx';
import { typed } from './typed.ts';
import { fileAct } from './uploads.tsx';
import type { MakeOfficePage } from './visit.ts';

const PATH = '/repasses/:id';

const LINES = {
  sale: 'Venda',
  fee: 'Taxa',
  return: 'Devolução',
  return_fee: 'Taxa devolvida',
  payout: 'Repasse',
  payout_failed: 'Repasse que falhou',
};

export const createPayouts = act({
  path: '/repasses/novos',
  call: 'createPayouts',
  title: 'Fazer repasses',
  of: 'getMerchantsReport',
  figures({ data, total }) {
    const due = data.filter((one) => one.due > 0);
    return (
      <>
        <p>
          Hoje são devidos <b>{inReais(total.due)}</b> a {plural(due.length, 'loja', 'lojas')}. Cada uma vira
          um repasse a pagar.
        </p>
        <Table
          caption="O que é devido"
          rows={due}
          empty="Nada é devido hoje."
          columns={[
            text('Loja', 'name'),
            money('Devido', 'due'),
            { title: 'Ainda não vencido', isNumber: true, show: (one) => <Money of={one.owed - one.due} /> },
          ]}
        />
      </>
    );
  },
  stake: ({ total }) => total.due,
  button: 'Fazer os repasses',
  body: () => ({}),
  done: ({ data }) =>
    `${plural(data.length, 'repasse feito', 'repasses feitos')}. Pague pelo banco e marque.`,
});

export const paid = act({
  path: `${PATH}/pago`,
  call: 'markPayoutPaid',
  title: 'Marcar como pago',
  of: 'getPayout',
  figures: ({ amount, merchant }) => (
    <p>
      {inReais(amount)} a {merchant}.
    </p>
  ),
  fields: [{ name: 'reference', label: 'Comprovante do banco', maxLength: 120 }],
  body: (sent) => typed(sent, 'reference'),
  done: 'Repasse pago.',
});

export const failed = act({
  path: `${PATH}/falhou`,
  call: 'markPayoutFailed',
  title: 'Marcar que falhou',
  says: 'O valor volta a ser devido à loja e entra no próximo repasse.',
  fields: [reason],
  body: (sent) => typed(sent, 'reason'),
  done: 'Repasse marcado como falho. O valor é devido de novo.',
});

type Returned = StaffSchemas['ReturnFileOutcome'];

const OUTCOME = {
  paid: 'Pago',
  failed: 'Falhou',
  already: 'Já registrado',
  waiting: 'Espera o banco',
  bad: 'Com erro',
};

const ReturnedLines = ({ title, rows }: { title: string; rows: Returned['data'] }) => (
  <TableSection
    title={title}
    rows={rows}
    columns={[
      {
        title: 'O que há',
        show: ({ outcome, message }) => (
          <>
            <Status of={outcome} names={OUTCOME} /> {whole(message)}
          </>
        ),
      },
      {
        title: 'Loja',
        show: ({ merchant, payout }) =>
          payout ? <a href={`/repasses/${payout}`}>{merchant}</a> : 'desconhecida',
      },
      money('Valor', 'amount'),
      number('Linha', 'line'),
    ]}
  />
);

function ReturnedFile({ of: { totals, data } }: { of: Returned }) {
  const [bad, good] = [true, false].map((is) => data.filter(({ outcome }) => (outcome === 'bad') === is));
  const figure = (outcome: keyof typeof OUTCOME) => {
    const { lines, amount } = totals[outcome];
    return lines === 0 ? 'nenhum' : `${lines} · ${inReais(amount)}`;
  };
  return (
    <>
      <Facts
        are={[
          ['Pagos', figure('paid')],
          ['Falharam', figure('failed')],
          ['Já registrados', figure('already')],
          ['Esperam o banco', figure('waiting')],
          ['Com erro', plural(totals.bad.lines, 'linha', 'linhas')],
        ]}
      />
      {totals.bad.lines > 0 && (
        <ReturnedLines title="Com erro: não mudam nada nem impedem as outras" rows={bad!} />
      )}
      <ReturnedLines title={totals.bad.lines > 0 ? 'As outras linhas' : 'Linhas do arquivo'} rows={good!} />
    </>
  );
}

export const returnFile = fileAct<Returned>({
  path: '/repasses/retorno',
  call: 'markPayoutsByFile',
  title: 'Arquivo de retorno do banco',
  back: '/repasses',
  hint:
    'O retorno CNAB 240, ou a lista de repasses em CSV com status (pago ou falhou), reference (comprovante) e reason (motivo) preenchidos. ' +
    'Até 2 MiB. Antes de marcar você vê o que mudaria.',
  accept: '.csv,.ret,.txt,text/csv,text/plain',
  formatOf: ({ bytes }) => (/^\d{7}0/.test(bytes.toString('latin1', 0, 8)) ? 'cnab240' : 'csv'),
  send({ api }, { format, encoding, bytes }, _sent, dryRun) {
    const isCsv = format === 'csv';
    return api.markPayoutsByFile({
      query: { format: isCsv ? 'csv' : 'cnab240', encoding, dry_run: dryRun },
      bytes: { type: isCsv ? 'text/csv' : 'text/plain', content: bytes },
    });
  },
  preview: (outcome) => <ReturnedFile of={outcome} />,
  buttonFor({ totals: { paid: sure, failed: not } }) {
    const many = sure.lines + not.lines;
    return many > 0 ? `Marcar ${plural(many, 'repasse', 'repasses')}` : undefined;
  },
  done(outcome) {
    const body = (
      <div class="office-what">
        <ReturnedFile of={outcome} />
      </div>
    );
    return { page: { title: 'O que mudou', from: { href: '/repasses', text: 'Repasses' }, body } };
  },
});

export const payoutPage: MakeOfficePage = async (visit) => {
  const payout = await visit.api.getPayout({ path: { id: visit.params.id! }, query: { limit: 100 } });
  const { merchant, status, lines } = payout;
  return (
    <RecordLayout
      title="Repasse"
      heading={`Repasse a ${merchant}`}
      visit={visit}
      acts={status === 'pending' && [paid, failed]}
    >
      <Facts
        of={payout}
        are={[
          money('Valor', 'amount'),
          state('Situação', 'status', PAYOUT),
          ['Loja', merchant, `/lojas/${merchant}`],
          day('Para o dia', 'due_on'),
          moment('Pago', 'paid_at'),
          text('Comprovante', 'reference', 'nenhum'),
          payout.reason && text('Por que falhou', 'reason'),
        ]}
      />
      <TableSection
        title="De que é feito"
        caption="Linhas"
        rows={lines}
        open={({ checkout_hash }) => (checkout_hash ? `/compras/${checkout_hash}` : undefined)}
        columns={[
          named('Linha', 'kind', LINES),
          money('Valor', 'amount'),
          day('Vence', 'due_on'),
          moment('Quando', 'occurred_at'),
        ]}
      />
    </RecordLayout>
  );
};

const APPROVAL_PATH = '/aprovacoes/:id';

export const approve = act({
  path: `${APPROVAL_PATH}/aprovar`,
  call: 'approveAct',
  title: 'Aprovar',
  of: 'getApproval',
  figures: ({ kind, amount, subject, asked_by }) => (
    <p>
      {APPROVAL_KIND[kind]}
      {amount !== null && ` de ${inReais(amount)}`}, sobre {subject}, a pedido de {asked_by.name}. É feito na
      hora.
    </p>
  ),
  button: 'Aprovar e fazer',
  done: 'Aprovado e feito.',
});

export const refuse = act({
  path: `${APPROVAL_PATH}/recusar`,
  call: 'refuseAct',
  title: 'Recusar',
  fields: [reason],
  body: (sent) => typed(sent, 'reason'),
  done: 'Recusado. Nada foi feito.',
});

export const approvalPage: MakeOfficePage = async (visit) => {
  const { api, params, who } = visit;
  const approval = await api.getApproval({ path: { id: params.id! } });
  const isOwn = approval.asked_by.id === who!.id;
  const isWaiting = approval.status === 'waiting';
  return (
    <RecordLayout title="Aprovação" visit={visit} acts={isWaiting && [!isOwn && approve, refuse]}>
      {isWaiting && isOwn && (
        <p class="note" role="status">
          Foi você quem pediu. Outra pessoa decide; recusar retira o pedido.
        </p>
      )}
      <Facts
        of={approval}
        are={[
          named('O quê', 'kind', APPROVAL_KIND),
          money('Valor', 'amount', 'sem valor'),
          state('Situação', 'status', APPROVAL),
          code('Sobre', 'subject'),
          text('Motivo', 'reason', 'nenhum'),
          text('Pedida por', 'asked_by.name'),
          moment('Pedida', 'asked_at'),
          ['Decidida por', approval.decided_by?.name ?? 'ninguém ainda'],
          approval.outcome && text('Resultado', 'outcome'),
        ]}
      />
    </RecordLayout>
  );
};
