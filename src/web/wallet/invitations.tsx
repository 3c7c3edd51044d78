import type { components } from '#client';
import type { MakePersonalPage } from '../server/visit.ts';
import { inReais, longDate, plural } from '../text/format.ts';
import { People, Share } from '../ui/icons.tsx';
import { Empty, Line, Pagination, Panel } from '../ui/parts.tsx';
import { WalletPage } from './layout.tsx';

const TO_A_PAGE = 20;
const address = (page: number) => (page > 1 ? `/carteira/convites?pagina=${page}` : '/carteira/convites');

type Invitation = components['schemas']['Referral']['invitations'][number];

const STATUS: Record<Invitation['status'], { text: string; tone: string }> = {
  registered: { text: 'Criou a conta', tone: 'wait' },
  rewarded: { text: 'Já pagou o mínimo', tone: 'open' },
  expired: { text: 'Prazo encerrado', tone: 'paid' },
};

export const invitationsPage: MakePersonalPage = async (visit) => {
  const { api, siteUrl, page: wanted } = visit;
  const page = wanted();
  const { code, reward, summary, invitations } = await api.getReferral({ query: { page, limit: TO_A_PAGE } });
  const pages = Math.ceil(summary.invited / TO_A_PAGE);
  if (page > 1 && invitations.length === 0) return { to: address(pages) };
  const link = `${siteUrl}/convite/${code}`;
  const words = `Compre nas lojas do bairro e pague por semana, com PIX. Com o meu convite, você ganha ${inReais(reward.invited)} de cashback.`;
  return (
    <WalletPage
      title="Convites"
      visit={visit}
      tab="convites"
      heading="Convide e ganhem os dois"
      lead={`Quando a pessoa pagar ${inReais(reward.min_paid)} em parcelas por PIX, em até 90 dias, você ganha ${inReais(reward.referrer)} e ela, ${inReais(reward.invited)}.`}
    >
      <div class="columns">
        <Panel id="convite" title="Seu convite" class="panel invite">
          <p class="ticket">
            <span class="muted">Código</span>
            <strong>{code}</strong>
          </p>
          <div class="field">
            <label for="link">Link do convite</label>
            <input id="link" readOnly value={link} />
          </div>
          <div class="actions">
            <button class="button" type="button" data-share={words} data-share-link={link} hidden>
              <Share /> Compartilhar
            </button>
            <button class="button quiet" type="button" data-copy="link" hidden>
              Copiar link
            </button>
            <a
              class="button quiet"
              href={`https://wa.me/?text=${encodeURIComponent(`${words} ${link}`)}`}
              rel="noopener noreferrer"
            >
              Enviar por WhatsApp
            </a>
          </div>
        </Panel>
        <Panel id="resultado" title="Resultado até agora">
          <dl class="totals">
            <Line
              name="Criaram conta com o seu convite"
              value={plural(summary.invited, 'pessoa', 'pessoas')}
            />
            <Line name="Já pagaram o mínimo" value={summary.rewarded} />
            <Line name="Você ganhou" value={inReais(summary.earned)} isTotal />
          </dl>
        </Panel>
      </div>
      <h2 class="small-title">Pessoas convidadas</h2>
      {invitations.length > 0 ? (
        <ul class="rows">
          {invitations.map(({ name, status, invited_at, reward: got }) => (
            <li key={name + invited_at} class="card row">
              <div class="row-text">
                <h3 class="card-title">{name}</h3>
                <p class="row-foot">
                  <span class={`status ${STATUS[status].tone}`}>{STATUS[status].text}</span>
                  <span class="muted">{longDate(invited_at)}</span>
                </p>
              </div>
              {got > 0 && (
                <p class="row-amount">
                  <span class="amount plus">+ {inReais(got)}</span>
                </p>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <Empty icon={<People />} title="Ninguém usou o seu convite ainda.">
          <p>Envie o link para quem compra nas lojas do bairro.</p>
        </Empty>
      )}
      <Pagination page={page} pages={pages} href={address} />
    </WalletPage>
  );
};
