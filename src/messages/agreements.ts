import { Type } from 'typebox';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { defineList, filterBy } from '#platform/http/list.ts';
import { StrictObject, Text, TextField, Timestamp } from '#platform/http/schemas.ts';
import { type AuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { versionTaken } from './problems.ts';

const AGREEMENT_KINDS = ['terms', 'privacy'] as const;
type AgreementKind = (typeof AGREEMENT_KINDS)[number];
type Section = { title: string; text: string };
export const agreementKindSchema = Type.Enum([...AGREEMENT_KINDS], {
  description: '`terms`: the terms of use. `privacy`: the privacy notice.',
});
const versionSchema = Type.String({ pattern: '^[0-9A-Za-z.-]{1,40}$', examples: ['2026-11'] });
const EXAMPLE_SECTIONS = [{ title: 'O que é a Semana', text: 'A Semana organiza compras a prazo.' }];

export const Agreement = Type.Object(
  {
    kind: agreementKindSchema,
    version: versionSchema,
    sections: Type.Array(
      Type.Object({
        title: Type.String(),
        text: Type.String({ description: 'Plain text; a blank line starts a new paragraph.' }),
      }),
      { examples: [EXAMPLE_SECTIONS] },
    ),
  },
  { $id: 'Agreement' },
);

export const StaffAgreement = Type.Object(
  {
    ...Agreement.properties,
    published_by: TextField('Id of the staff user, or the command line.', 'stf_01kfx3v9e2r4s6t8w0y2a4c6e8'),
    published_at: Timestamp(),
  },
  { $id: 'StaffAgreement' },
);

export const AgreementForm = StrictObject(
  {
    kind: agreementKindSchema,
    version: versionSchema,
    sections: Type.Optional(
      Type.Array(StrictObject({ title: Text(200), text: Text(20_000) }), { minItems: 1, maxItems: 60 }),
    ),
    text: Type.Optional(
      Text(60_000, {
        description:
          'Plain text, as an alternative to `sections`. Each section begins with a line `## Title`.',
      }),
    ),
  },
  { examples: [{ kind: 'terms', version: '2027-01', sections: EXAMPLE_SECTIONS }] },
);

const BUILT_IN_VERSION = '2026-11';

const TERMS: Section[] = [
  {
    title: 'O que é a Semana',
    text: 'A Semana organiza compras a prazo entre você e lojas parceiras. Quem vende é a loja. De quem é o crédito, com CNPJ e endereço, está no fim de cada página e em cada oferta. A Semana faz a análise, mostra o custo, recebe as parcelas por PIX e cuida do cashback.',
  },
  {
    title: 'Quem pode ter conta',
    text: 'Pessoas com 18 anos ou mais, com CPF e celular próprios. A conta é sua e não pode ser emprestada. Não passe a senha nem os códigos a ninguém: a equipe da Semana nunca os pede.',
  },
  {
    title: 'Compras',
    text: 'Nenhuma compra é feita sem o seu aceite. Antes dele, você vê o valor, cada parcela com a sua data, o custo do crédito e o custo efetivo total (CET). O que foi combinado não muda depois.',
  },
  {
    title: 'Atraso',
    text: 'Depois do vencimento há multa de até 2%, uma vez por vencimento, e juros simples de até 1% ao mês, contados por dia. Vencimento em dia não útil passa para o próximo dia útil.',
  },
  {
    title: 'Antecipar, prorrogar, devolver',
    text: 'Quando a compra tem taxa, quem paga antes paga menos. Uma parcela pode ser prorrogada pelo preço mostrado na tela. O que é devolvido na loja reduz as parcelas, e o que foi pago a mais é devolvido a você.',
  },
  {
    title: 'Cashback e convites',
    text: 'O cashback vale por 180 dias e serve para pagar parcelas. Ele é cancelado se o pagamento que o gerou for estornado. Convites valem para quem ainda não tem conta.',
  },
  {
    title: 'Seus dados',
    text: 'Usamos nome, CPF, data de nascimento, celular e e-mail para a análise de crédito, para entrar na conta e para falar com você, como manda a LGPD. A loja não vê o seu CPF nem as suas outras compras. Você pode pedir uma cópia ou a exclusão dos seus dados pelo contato; a página Privacidade conta o resto.',
  },
  {
    title: 'Encerramento da conta',
    text: 'Se não houver nada a pagar, você pode encerrar a conta quando quiser. Podemos bloquear uma conta usada por outra pessoa ou em fraude, e informamos o motivo.',
  },
];

/** Must describe the actual behaviour of the service: see docs/operating.md on personal data. */
const PRIVACY: Section[] = [
  {
    title: 'O que guardamos',
    text: 'Nome, CPF, data de nascimento, celular e e-mail; a senha só como um código que não pode ser revertido; as suas compras, parcelas, pagamentos, cashback e convites; os contratos; as decisões de crédito com os fatos que contaram; as mensagens que enviamos e as sessões abertas na sua conta. CPF, contratos, mensagens e dados de contato ficam cifrados.',
  },
  {
    title: 'Para quê',
    text: 'Para fazer e cumprir o contrato de crédito, para você entrar na conta, para falar com você e para proteger a conta contra fraude (LGPD, art. 7º, incisos V, IX e X). Não vendemos dados e não usamos cookies de propaganda: os que existem servem para manter você na conta, lembrar o tema escolhido e notar cadastros em série no mesmo aparelho. O que você digita em um cadastro fica só na aba do seu navegador, por até 30 minutos, até a conta ser criada.',
  },
  {
    title: 'Quem mais vê',
    text: 'A loja não vê o seu CPF nem as suas outras compras. O banco que recebe o PIX e as empresas que entregam SMS, WhatsApp, e-mails e notificações recebem o necessário para isso. Na análise de crédito, um birô pode ser consultado pelo seu CPF.',
  },
  {
    title: 'Por quanto tempo',
    text: 'Códigos de acesso são apagados um dia depois de vencerem; sessões encerradas, depois de 30 dias; mensagens a celulares sem conta e ofertas que não viraram compra, depois de 90 dias; mensagens a você, depois de dois anos. O cadastro fica enquanto você tiver conta. Quando ele é apagado, compras, pagamentos e a contabilidade ficam, sem dizer de quem eram.',
  },
  {
    title: 'Os seus direitos',
    text: 'Você pode saber o que guardamos, receber uma cópia, corrigir o que está errado, pedir que seja apagado, pedir que uma pessoa reveja uma decisão de crédito (art. 20), perguntar com quem foi compartilhado e reclamar à Autoridade Nacional de Proteção de Dados (LGPD, art. 18). Só não apagamos enquanto houver valores em aberto, de um lado ou do outro.',
  },
];

/** The agreements in force until the operator publishes newer versions. */
const BUILT_IN_AGREEMENTS: Record<AgreementKind, { version: string; sections: Section[] }> = {
  terms: { version: BUILT_IN_VERSION, sections: TERMS },
  privacy: { version: BUILT_IN_VERSION, sections: PRIVACY },
};

type AgreementRow = {
  kind: AgreementKind;
  version: string;
  sections: Section[];
  published_by: string;
  published_at: Date;
};

const findNewestAgreement = (db: Queryable, kind: AgreementKind) =>
  db.row<AgreementRow>(sql`
    select kind, version, sections, published_by, published_at from agreements
    where kind = ${kind} order by published_at desc, version desc limit 1`);

export const agreementList = defineList({
  select: sql`select kind, version, sections, published_by, published_at from agreements`,
  filters: { kind: filterBy(agreementKindSchema, sql`kind`) },
  orderBy: [sql`published_at`, sql`kind`, sql`version`],
  keyOf: (row: AgreementRow) => [row.published_at, row.kind, row.version],
});

/** Inserts a version of an agreement. Returns false if the version exists. */
async function insertAgreement(tx: Tx, row: AgreementRow): Promise<boolean> {
  const insertedCount = await tx.run(sql`
    insert into agreements (kind, version, sections, published_by, published_at)
    values (${row.kind}, ${row.version}, ${JSON.stringify(row.sections)}, ${row.published_by}, ${row.published_at})
    on conflict do nothing`);
  return insertedCount === 1;
}

/** Returns the agreement in force: the newest published version, or the built-in text. */
export async function findCurrentAgreement(db: Queryable, kind: AgreementKind) {
  return (await findNewestAgreement(db, kind)) ?? { kind, ...BUILT_IN_AGREEMENTS[kind] };
}

/** Publishes a version. A published version cannot change: another text needs another version. */
export async function publishAgreement(
  tx: Tx,
  agreement: { kind: AgreementKind; version: string; sections: Section[] },
  auditContext: AuditContext,
): Promise<AgreementRow> {
  const { kind, version } = agreement;
  const row = { ...agreement, published_by: auditContext.actor.id, published_at: auditContext.now };
  if (version === BUILT_IN_AGREEMENTS[kind].version) throw versionTaken(version);
  const isInserted = await insertAgreement(tx, row);
  if (!isInserted) throw versionTaken(version);
  await recordAuditEntry(tx, auditContext, { kind: 'agreement', id: `${kind} ${version}` }, { version });
  return row;
}

/** Parses a text in which each section begins with a line `## Title`. Returns undefined if a section is empty or text precedes the first one. */
export function parseSections(text: string): Section[] | undefined {
  const [preamble = '', ...blocks] = text.replaceAll('\r\n', '\n').split(/^## +/m);
  const sections = blocks.map((block) => {
    const [title = '', ...lines] = block.split('\n');
    return { title: title.trim(), text: lines.join('\n').trim() };
  });
  const isComplete = sections.length > 0 && sections.every((section) => section.title && section.text);
  return preamble.trim() === '' && isComplete ? sections : undefined;
}
