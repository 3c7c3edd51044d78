import { inReais, plural, whole } from '../ui/format.ts';
import { type Act, ActLinks, doneOrWaits, type PlainAct, reason } from './act.tsx';
import { OfficeLayout } from './layout.tsx';
import { APPROVAL, APPROVAL_KIND, PAYOUT } from './lists/names.ts';
import {
  Code,
  day,
  Facts,
  Money,
  moment,
  money,
  number,
  OnDay,
  Section,
  Status,
  Table,
  When,
} from './parts.tsx';
import type { StaffSchemas } from './staff/client.ts';
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

const run: Act = {
  path: '/repasses/novos',
  call: 'createPayouts',
  title: 'Fazer repasses',
  back: '/repasses',
  async figures({ api }) {
    const { data, total } = await api.getMerchantsReport();
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
            { title: 'Loja', show: ({ name }) => name },
            { title: 'Devido', isNumber: true, show: (one) => <Money of={one.due} /> },
            { title: 'Ainda não vencido', isNumber: true, show: (one) => <Money of={one.owed - one.due} /> },
          ]}
        />
      </>
    );
  },
  stake: async ({ api }) => (await api.getMerchantsReport()).total.due,
  button: 'Fazer os repasses',
  async run({ api, idempotencyKey }) {
    const answer = await api.call('createPayouts', { body: {}, idempotencyKey });
    const made = 'data' in answer.data ? answer.data.data.length : 0;
    return doneOrWaits(
      answer,
      `${plural(made, 'repasse feito', 'repasses feitos')}. Pague pelo banco e marque.`,
    );
  },
};

export const paid: PlainAct = {
  path: `${PATH}/pago`,
  call: 'markPayoutPaid',
  title: 'Marcar como pago',
  back: PATH,
  async figures({ api, params }) {
    const { amount, merchant } = await api.getPayout({ path: { id: params.id! } });
    return (
      <p>
        {inReais(amount)} a {merchant}.
      </p>
    );
  },
  fields: [{ name: 'reference', label: 'Comprovante do banco', maxLength: 120 }],
  button: 'Marcar como pago',
  async run({ api, params }, sent) {
    await api.markPayoutPaid({ path: { id: params.id! }, body: { reference: sent.text('reference') } });
    return 'Repasse pago.';
  },
};

export const failed: PlainAct = {
  path: `${PATH}/falhou`,
  call: 'markPayoutFailed',
  title: 'Marcar que falhou',
  back: PATH,
  figures: async () => <p>O valor volta a ser devido à loja e entra no próximo repasse.</p>,
  fields: [reason],
  button: 'Marcar que falhou',
  async run({ api, params }, sent) {
    await api.markPayoutFailed({ path: { id: params.id! }, body: { reason: sent.text('reason') } });
    return 'Repasse marcado como falho. O valor é devido de novo.';
  },
};

type Returned = StaffSchemas['ReturnFileOutcome'];

const OUTCOME = {
  paid: 'Pago',
  failed: 'Falhou',
  already: 'Já registrado',
  waiting: 'Espera o banco',
  bad: 'Com erro',
};

const ReturnedLines = ({ title, rows }: { title: string; rows: Returned['data'] }) => (
  <Section title={title}>
    <Table
      caption={title}
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
        { title: 'Valor', isNumber: true, show: ({ amount }) => amount !== null && <Money of={amount} /> },
        number('Linha', 'line'),
      ]}
    />
  </Section>
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
        of={[
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

const returnFile = fileAct<Returned>({
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
  return {
    body: (
      <OfficeLayout
        title="Repasse"
        heading={`Repasse a ${payout.merchant}`}
        visit={visit}
        crumbs={[{ href: '/repasses', text: 'Repasses' }]}
        actions={payout.status === 'pending' && <ActLinks visit={visit} acts={[paid, failed]} />}
      >
        <Facts
          of={[
            ['Valor', <Money key="v" of={payout.amount} />],
            ['Situação', <Status key="s" of={payout.status} names={PAYOUT} />],
            [
              'Loja',
              <a key="l" href={`/lojas/${payout.merchant}`}>
                {payout.merchant}
              </a>,
            ],
            ['Para o dia', <OnDay key="d" day={payout.due_on} />],
            ['Pago', <When key="p" at={payout.paid_at} />],
            ['Comprovante', payout.reference ?? 'nenhum'],
            payout.reason ? ['Por que falhou', payout.reason] : undefined,
          ]}
        />
        <Section title="De que é feito">
          <Table
            caption="Linhas"
            rows={payout.lines}
            open={({ checkout_hash }) => (checkout_hash ? `/compras/${checkout_hash}` : undefined)}
            columns={[
              { title: 'Linha', show: ({ kind }) => LINES[kind] },
              money('Valor', 'amount'),
              day('Vence', 'due_on'),
              moment('Quando', 'occurred_at'),
            ]}
          />
        </Section>
      </OfficeLayout>
    ),
  };
};

const APPROVAL_PATH = '/aprovacoes/:id';

const approve: Act = {
  path: `${APPROVAL_PATH}/aprovar`,
  call: 'approveAct',
  title: 'Aprovar',
  back: APPROVAL_PATH,
  async figures({ api, params }) {
    const { kind, amount, subject, asked_by } = await api.getApproval({ path: { id: params.id! } });
    return (
      <p>
        {APPROVAL_KIND[kind]}
        {amount !== null && ` de ${inReais(amount)}`}, sobre {subject}, a pedido de {asked_by.name}. É feito
        na hora.
      </p>
    );
  },
  button: 'Aprovar e fazer',
  async run({ api, params }) {
    await api.approveAct({ path: { id: params.id! } });
    return 'Aprovado e feito.';
  },
};

const refuse: Act = {
  path: `${APPROVAL_PATH}/recusar`,
  call: 'refuseAct',
  title: 'Recusar',
  back: APPROVAL_PATH,
  fields: [reason],
  button: 'Recusar',
  async run({ api, params }, sent) {
    await api.refuseAct({ path: { id: params.id! }, body: { reason: sent.text('reason') } });
    return 'Recusado. Nada foi feito.';
  },
};

export const approvalPage: MakeOfficePage = async (visit) => {
  const { api, params, who } = visit;
  const approval = await api.getApproval({ path: { id: params.id! } });
  const isOwn = approval.asked_by.id === who!.id;
  const isWaiting = approval.status === 'waiting';
  return {
    body: (
      <OfficeLayout
        title="Aprovação"
        visit={visit}
        crumbs={[{ href: '/aprovacoes', text: 'Aprovações' }]}
        actions={isWaiting && <ActLinks visit={visit} acts={[!isOwn && approve, refuse]} />}
      >
        {isWaiting && isOwn && (
          <p class="note" role="status">
            Foi você quem pediu. Outra pessoa decide; recusar retira o pedido.
          </p>
        )}
        <Facts
          of={[
            ['O quê', APPROVAL_KIND[approval.kind]],
            ['Valor', approval.amount === null ? 'sem valor' : <Money key="v" of={approval.amount} />],
            ['Situação', <Status key="s" of={approval.status} names={APPROVAL} />],
            ['Sobre', <Code key="b">{approval.subject}</Code>],
            ['Motivo', approval.reason ?? 'nenhum'],
            ['Pedida por', approval.asked_by.name],
            ['Pedida', <When key="a" at={approval.asked_at} />],
            ['Decidida por', approval.decided_by?.name ?? 'ninguém ainda'],
            approval.outcome ? ['Resultado', approval.outcome] : undefined,
          ]}
        />
      </OfficeLayout>
    ),
  };
};

export const MONEY_OUT_ACTS: readonly Act[] = [run, returnFile, paid, failed, approve, refuse];
