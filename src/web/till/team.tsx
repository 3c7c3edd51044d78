import type { Output } from '#client';
import { saoPauloDay } from '#core/day.ts';
import { readReais, toReais } from '#core/money.ts';
import { again, faultsIn, ownForm, told } from '../server/form.ts';
import type { Form, Sent } from '../server/visit.ts';
import { inReais, longDate, plainReais, plural, readPhone, shortTime, showPhone } from '../text/format.ts';
import { LinkButton, Submit } from '../ui/buttons.tsx';
import { Field, MoneyField, PhoneField } from '../ui/field.tsx';
import { PageHead, Panel } from '../ui/parts.tsx';
import { fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import { ROLES } from './enter.tsx';
import { HOME, TillPage } from './layout.tsx';
import { missingPage } from './notices.tsx';
import type { MakeTillPage, TillVisit } from './visit.ts';

const TEAM = `${HOME}/equipe`;
const INVITE = `${TEAM}/convidar`;
const MEMBER_PATH = `${TEAM}/:id`;
const CRUMBS = [{ href: TEAM, text: 'Equipe' }];

type Member = Output<'listMembers'>['data'][number];

const mayWhat = ({ role, max_amount, may_return }: Member) =>
  role === 'owner'
    ? 'Responsável: faz tudo'
    : `Caixa: vende ${max_amount === null ? 'sem limite' : `até ${inReais(max_amount)}`}${may_return ? ', devolve' : ''}`;

/** What each has sold today, by member id. */
async function soldToday({ api, now }: TillVisit): Promise<Map<string, { sales: number; cents: number }>> {
  const today = saoPauloDay(now.getTime());
  const sold = new Map<string, { sales: number; cents: number }>();
  for await (const { by, amounts } of api.each('listSales', {
    query: { from: today, to: today, limit: 100 },
  })) {
    if (!by) continue;
    const { sales, cents } = sold.get(by.id) ?? { sales: 0, cents: 0 };
    sold.set(by.id, { sales: sales + 1, cents: cents + Math.round(amounts.financed * 100) });
  }
  return sold;
}

export const teamPage: MakeTillPage = async (visit) => {
  const [{ data: members }, sold] = await Promise.all([visit.api.listMembers(), soldToday(visit)]);
  return (
    <TillPage title="Equipe" visit={visit} tab="equipe">
      <ul class="lines">
        {members.map((member) => {
          const { sales, cents } = sold.get(member.id) ?? { sales: 0, cents: 0 };
          return (
            <li key={member.id}>
              <span class="what">
                <a class="cover" href={`${TEAM}/${member.id}`}>
                  <b>{member.name}</b>
                </a>
                {member.id === visit.me.member.id && ' (você)'}
                <small>{mayWhat(member)}</small>
              </span>
              <span class="much">
                <b>{inReais(cents / 100)}</b>
                <small>{plural(sales, 'venda hoje', 'vendas hoje')}</small>
              </span>
            </li>
          );
        })}
      </ul>
      <p class="actions after-lines">
        <LinkButton to={INVITE}>Convidar alguém</LinkButton>
      </p>
    </TillPage>
  );
};

/** Role, limit and returns, for somebody new and for somebody known. */
function RoleFields({ field }: { field: ReturnType<typeof fieldsOf> }) {
  const role = field('role').value ?? 'clerk';
  return (
    <>
      <div class="field">
        <label for="role">Função</label>
        <select id="role" name="role">
          <option value="clerk" selected={role === 'clerk'}>
            Caixa: vende
          </option>
          <option value="owner" selected={role === 'owner'}>
            Responsável: faz tudo, também equipe e dinheiro
          </option>
        </select>
      </div>
      <MoneyField
        {...field('max_amount')}
        label="Limite por venda, em reais"
        optional
        maxLength={20}
        hint="Para quem é caixa. Em branco: sem limite."
      />
      <div class="field check">
        <input
          id="may_return"
          name="may_return"
          type="checkbox"
          value="sim"
          checked={field('may_return').value === 'sim'}
        />
        <label for="may_return">Pode devolver vendas</label>
      </div>
    </>
  );
}

export const invitePage: MakeTillPage = async (visit) => {
  const field = fieldsOf(visit.flash);
  return (
    <TillPage title="Convidar" visit={visit} tab="equipe" crumbs={CRUMBS}>
      <PostForm visit={visit} action={INVITE} class="panel">
        <Field {...field('name')} label="Nome e sobrenome" autocomplete="off" maxLength={120} />
        <PhoneField
          {...field('phone')}
          label="Celular com DDD"
          autocomplete="off"
          hint="É com este celular que a pessoa entra no balcão, por código."
        />
        <RoleFields field={field} />
        <Submit wide>Convidar</Submit>
      </PostForm>
    </TillPage>
  );
};

export const memberPage: MakeTillPage = async (visit) => {
  const path = { id: visit.params.id! };
  const [{ data: members }, { data: sessions }] = await Promise.all([
    visit.api.listMembers(),
    visit.api.listMemberSessions({ path }),
  ]);
  const member = members.find(({ id }) => id === path.id);
  if (!member) return missingPage(visit);
  const { id, name, phone, role, max_amount, may_return, created_at } = member;
  const isMe = id === visit.me.member.id;
  const field = fieldsOf(visit.flash, {
    role,
    max_amount: max_amount === null ? '' : plainReais(max_amount),
    // A box that is not ticked is not sent: after a fault its value is in what was sent, or nowhere.
    may_return: may_return && !visit.flash?.values ? 'sim' : '',
  });
  return (
    <TillPage
      title="Pessoa da equipe"
      visit={visit}
      tab="equipe"
      head={
        <PageHead title={name} crumbs={CRUMBS}>
          <p class="muted">
            {showPhone(phone)}. {ROLES[role]} desde {longDate(created_at)}.
          </p>
        </PageHead>
      }
    >
      <PostForm visit={visit} action={`${TEAM}/${id}`} class="panel">
        <RoleFields field={field} />
        <Submit wide>Salvar</Submit>
        <p class="hint">Vale na hora, em todos os aparelhos.</p>
      </PostForm>
      <p class="after-lines">
        <a href={`${HOME}/vendas?de=${id}`}>Ver o que {name.split(' ')[0]} vendeu</a>
      </p>
      <Panel id="aparelhos" title="Aparelhos abertos" class="panel after-lines">
        {sessions.length === 0 && <p class="muted">Nenhum.</p>}
        <ul class="sessions">
          {sessions.map((session) => (
            <li key={session.id}>
              <span>
                <b>{session.is_current ? 'Este aparelho' : 'Aparelho'}</b>
                <small>
                  entrou em {shortTime(session.created_at)}
                  {session.refreshed_at !== session.created_at &&
                    `, usado por volta de ${shortTime(session.refreshed_at)}`}
                </small>
              </span>
              {!session.is_current && (
                <PostForm visit={visit} action={`${TEAM}/${id}/aparelhos/${session.id}`}>
                  <button
                    class="button small quiet"
                    type="submit"
                    aria-label={`Fechar o aparelho aberto em ${shortTime(session.created_at)}`}
                  >
                    Fechar
                  </button>
                </PostForm>
              )}
            </li>
          ))}
        </ul>
      </Panel>
      <details class="choice fold after-lines">
        <summary>
          <span>
            <b>Remover {name.split(' ')[0]}</b>
            <small>{isMe ? 'É você: sairia da loja agora.' : 'Sai de todos os aparelhos na hora.'}</small>
          </span>
        </summary>
        <PostForm visit={visit} action={`${TEAM}/${id}/remover`}>
          <p>As vendas já feitas continuam com o nome de quem vendeu.</p>
          <Submit quiet wide>
            Remover da equipe
          </Submit>
        </PostForm>
      </details>
    </TillPage>
  );
};

const BAD_LIMIT = 'Escreva o limite assim: 300 ou 300,00.';

/** What the form says of role and limits; undefined: the limit cannot be read. */
function readRole(sent: Sent): Pick<Member, 'role' | 'max_amount' | 'may_return'> | undefined {
  const typed = sent.text('max_amount');
  const cents = typed ? readReais(typed) : null;
  if (typed && (cents === null || cents <= 0)) return undefined;
  return {
    role: sent.text('role') === 'owner' ? 'owner' : 'clerk',
    max_amount: cents === null ? null : toReais(cents),
    may_return: sent.text('may_return') === 'sim',
  };
}

export const TEAM_FORMS: Record<string, Form> = {
  [INVITE]: ownForm(INVITE, async (visit, sent) => {
    const [name, phone, role] = [sent.text('name'), readPhone(sent.text('phone')), readRole(sent)];
    const faults = faultsIn({
      name: !name && 'Escreva o nome.',
      phone: !phone && 'Escreva o celular, com DDD.',
      max_amount: !role && BAD_LIMIT,
    });
    if (faults) return again(visit, sent, faults);
    const { api, idempotencyKey } = visit;
    const member = await api.addMember({ body: { name, phone, ...role! }, idempotencyKey });
    const note = `${member.name} já pode entrar no balcão com o celular ${showPhone(member.phone)}.`;
    return told(TEAM, note);
  }),
  [MEMBER_PATH]: ownForm(MEMBER_PATH, async (visit, sent) => {
    const body = readRole(sent);
    if (!body) return again(visit, sent, { max_amount: BAD_LIMIT });
    const { name } = await visit.api.changeMember({ path: { id: visit.params.id! }, body });
    return told(TEAM, `Salvo: ${name}.`);
  }),
  [`${MEMBER_PATH}/aparelhos/:session`]: ownForm(MEMBER_PATH, async ({ api, page, params }) => {
    await api.endMemberSession({ path: { id: params.id!, session: params.session! } });
    return told(page, 'Aparelho fechado.');
  }),
  [`${MEMBER_PATH}/remover`]: ownForm(MEMBER_PATH, async ({ api, params }) => {
    await api.removeMember({ path: { id: params.id! } });
    return told(TEAM, 'A pessoa saiu da equipe e de todos os aparelhos.');
  }),
};
