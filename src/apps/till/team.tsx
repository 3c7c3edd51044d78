import type { Output } from '#client';
import { saoPauloDay } from '#core/values/day.ts';
import { parseReaisInput, toReais } from '#core/values/money.ts';
import { collectErrors, defineSessionForm, redirectWithNote, redisplayForm } from '../server/form.ts';
import { PageNotFound } from '../server/personal-routes.ts';
import type { SubmittedForm } from '../server/submitted-form.ts';
import { type FormHandler, useVisit } from '../server/visit.ts';
import {
  formatLongDate,
  formatPhone,
  formatReais,
  formatReaisInput,
  parsePhone,
  pluralize,
  sumReais,
} from '../text/format.ts';
import { MEMBER_ROLE_LABELS } from '../text/labels.ts';
import { LinkButton, Submit } from '../ui/buttons.tsx';
import { Fold, PageHead, Panel } from '../ui/components.tsx';
import {
  Field,
  MoneyField,
  Options,
  PhoneField,
  PostForm,
  SessionList,
  useSubmittedField,
} from '../ui/forms.tsx';
import { HOME, ListLine, SALES_PATH, TillPage, type TillPageHandler, type TillVisit } from './layout.tsx';

const TEAM_PATH = `${HOME}/equipe`;
const INVITE_PATH = `${TEAM_PATH}/convidar`;
const MEMBER_ROUTE = `${TEAM_PATH}/:id`;
const CRUMBS = [{ href: TEAM_PATH, text: 'Equipe' }];

type Member = Output<'listMembers'>['data'][number];

const describePermissions = ({ role, max_amount, may_return }: Member) =>
  role === 'owner'
    ? 'Responsável: faz tudo'
    : `Caixa: vende ${max_amount === null ? 'sem limite' : `até ${formatReais(max_amount)}`}${may_return ? ', devolve' : ''}`;

/** Counts and sums the sales of today by the id of the member who made them. */
async function sumSalesByMember({ api, now }: TillVisit) {
  const today = saoPauloDay(now.getTime());
  const totals = new Map<string, { saleCount: number; soldAmount: number }>();
  for await (const { by: seller, amounts } of api.each('listSales', {
    query: { from: today, to: today, limit: 100 },
  })) {
    if (!seller) continue;
    const { saleCount, soldAmount } = totals.get(seller.id) ?? { saleCount: 0, soldAmount: 0 };
    totals.set(seller.id, { saleCount: saleCount + 1, soldAmount: sumReais(soldAmount, amounts.financed) });
  }
  return totals;
}

export const teamPage: TillPageHandler = async (visit) => {
  const [{ data: members }, totalsByMember] = await Promise.all([
    visit.api.listMembers(),
    sumSalesByMember(visit),
  ]);
  return (
    <TillPage title="Equipe" tab="equipe">
      <ul class="lines">
        {members.map((member) => {
          const { saleCount, soldAmount } = totalsByMember.get(member.id) ?? { saleCount: 0, soldAmount: 0 };
          return (
            <ListLine
              key={member.id}
              href={`${TEAM_PATH}/${member.id}`}
              title={member.name}
              titleNote={member.id === visit.me.member.id && ' (você)'}
              note={describePermissions(member)}
              amount={formatReais(soldAmount)}
              amountNote={pluralize(saleCount, 'venda hoje', 'vendas hoje')}
            />
          );
        })}
      </ul>
      <p class="actions after-lines">
        <LinkButton href={INVITE_PATH}>Convidar alguém</LinkButton>
      </p>
    </TillPage>
  );
};

const ROLE_CHOICES = {
  clerk: 'Caixa: vende',
  owner: 'Responsável: faz tudo, também equipe e dinheiro',
};

function RoleFields({ member }: { member?: Member }) {
  const role = useSubmittedField('role').value ?? member?.role ?? 'clerk';
  const submittedMayReturn = useSubmittedField('may_return').value;
  // Browsers do not send an unchecked box: after an error the submitted form decides, not the stored permission.
  const mayReturn = useVisit().flash?.values ? submittedMayReturn === 'sim' : member?.may_return;
  return (
    <>
      <div class="field">
        <label for="role">Função</label>
        <select id="role" name="role">
          <Options choices={ROLE_CHOICES} selected={role} />
        </select>
      </div>
      <MoneyField
        name="max_amount"
        value={member?.max_amount ? formatReaisInput(member.max_amount) : ''}
        label="Limite por venda, em reais"
        optional
        maxLength={20}
        hint="Para quem é caixa. Em branco: sem limite."
      />
      <div class="field check">
        <input id="may_return" name="may_return" type="checkbox" value="sim" checked={mayReturn} />
        <label for="may_return">Pode devolver vendas</label>
      </div>
    </>
  );
}

export const invitePage: TillPageHandler = async () => {
  return (
    <TillPage title="Convidar" tab="equipe" crumbs={CRUMBS}>
      <PostForm action={INVITE_PATH} class="panel">
        <Field name="name" label="Nome e sobrenome" autocomplete="off" maxLength={120} />
        <PhoneField
          name="phone"
          label="Celular com DDD"
          autocomplete="off"
          hint="É com este celular que a pessoa entra no balcão, por código."
        />
        <RoleFields />
        <Submit class="wide">Convidar</Submit>
      </PostForm>
    </TillPage>
  );
};

export const memberPage: TillPageHandler = async (visit) => {
  const path = { id: visit.params.id! };
  const [{ data: members }, { data: sessions }] = await Promise.all([
    visit.api.listMembers(),
    visit.api.listMemberSessions({ path }),
  ]);
  const member = members.find(({ id }) => id === path.id);
  if (!member) throw new PageNotFound();
  const { id, name, phone, role, created_at } = member;
  const isMe = id === visit.me.member.id;
  return (
    <TillPage
      title="Pessoa da equipe"
      tab="equipe"
      head={
        <PageHead title={name} crumbs={CRUMBS}>
          <p class="muted">
            {formatPhone(phone)}. {MEMBER_ROLE_LABELS[role]} desde {formatLongDate(created_at)}.
          </p>
        </PageHead>
      }
    >
      <PostForm action={`${TEAM_PATH}/${id}`} class="panel">
        <RoleFields member={member} />
        <Submit class="wide">Salvar</Submit>
        <p class="hint">Vale na hora, em todos os aparelhos.</p>
      </PostForm>
      <p class="after-lines">
        <a href={`${SALES_PATH}?de=${id}`}>Ver o que {name.split(' ')[0]} vendeu</a>
      </p>
      <Panel id="aparelhos" title="Aparelhos abertos" class="panel after-lines">
        {sessions.length === 0 && <p class="muted">Nenhum.</p>}
        <SessionList
          sessions={sessions}
          action={`${TEAM_PATH}/${id}/aparelhos`}
          deviceText="Aparelho"
          endText="Fechar"
          buildEndLabel={(openedAt) => `Fechar o aparelho aberto em ${openedAt}`}
        />
      </Panel>
      <Fold
        title={`Remover ${name.split(' ')[0]}`}
        note={isMe ? 'É você: sairia da loja agora.' : 'Sai de todos os aparelhos na hora.'}
        class="after-lines"
      >
        <PostForm action={`${TEAM_PATH}/${id}/remover`}>
          <p>As vendas já feitas continuam com o nome de quem vendeu.</p>
          <Submit class="quiet wide">Remover da equipe</Submit>
        </PostForm>
      </Fold>
    </TillPage>
  );
};

const LIMIT_ERROR = 'Escreva o limite assim: 300 ou 300,00.';

/** Reads role and permissions from the form. Returns undefined if the limit is invalid. */
function parsePermissions(
  form: SubmittedForm,
): Pick<Member, 'role' | 'max_amount' | 'may_return'> | undefined {
  const typedLimit = form.readText('max_amount');
  const limitCents = typedLimit ? parseReaisInput(typedLimit) : null;
  if (typedLimit && (limitCents === null || limitCents <= 0)) return undefined;
  return {
    role: form.readText('role') === 'owner' ? 'owner' : 'clerk',
    max_amount: limitCents === null ? null : toReais(limitCents),
    may_return: form.readText('may_return') === 'sim',
  };
}

export const TEAM_FORMS: Record<string, FormHandler> = {
  [INVITE_PATH]: defineSessionForm(INVITE_PATH, async (visit, form) => {
    const [name, phone] = [form.readText('name'), parsePhone(form.readText('phone'))];
    const permissions = parsePermissions(form);
    const errors = collectErrors({
      name: !name && 'Escreva o nome.',
      phone: !phone && 'Escreva o celular, com DDD.',
      max_amount: !permissions && LIMIT_ERROR,
    });
    if (errors) return redisplayForm(visit, form, errors);
    const { api, idempotencyKey } = visit;
    const member = await api.addMember({ body: { name, phone, ...permissions! }, idempotencyKey });
    const note = `${member.name} já pode entrar no balcão com o celular ${formatPhone(member.phone)}.`;
    return redirectWithNote(TEAM_PATH, note);
  }),
  [MEMBER_ROUTE]: defineSessionForm(MEMBER_ROUTE, async (visit, form) => {
    const permissions = parsePermissions(form);
    if (!permissions) return redisplayForm(visit, form, { max_amount: LIMIT_ERROR });
    const { name } = await visit.api.changeMember({ path: { id: visit.params.id! }, body: permissions });
    return redirectWithNote(TEAM_PATH, `Salvo: ${name}.`);
  }),
  [`${MEMBER_ROUTE}/aparelhos/:session`]: defineSessionForm(
    MEMBER_ROUTE,
    async ({ api, pagePath, params }) => {
      await api.endMemberSession({ path: { id: params.id!, session: params.session! } });
      return redirectWithNote(pagePath, 'Aparelho fechado.');
    },
  ),
  [`${MEMBER_ROUTE}/remover`]: defineSessionForm(MEMBER_ROUTE, async ({ api, params }) => {
    await api.removeMember({ path: { id: params.id! } });
    return redirectWithNote(TEAM_PATH, 'A pessoa saiu da equipe e de todos os aparelhos.');
  }),
};
