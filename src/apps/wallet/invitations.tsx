import type { components } from '#client';
import type { PersonalPageHandler } from '../server/visit.ts';
import { inReais, longDate, plural } from '../text/format.ts';
import { EmptyState, Line, Pagination, Panel } from '../ui/components.tsx';
import { People, Share } from '../ui/icons.tsx';
import { WalletPage } from './layout.tsx';

const PAGE_SIZE = 20;
const listPath = (page: number) => (page > 1 ? `/carteira/convites?pagina=${page}` : '/carteira/convites');

type Invitation = components['schemas']['Referral']['invitations'][number];

const STATUS_TEXTS: Record<Invitation['status'], { text: string; tone: string }> = {
  registered: { text: 'Criou a conta', tone: 'wait' },
  rewarded: { text: 'Já pagou o mínimo', tone: 'open' },
  expired: { text: 'Prazo encerrado', tone: 'paid' },
};

export const invitationsPage: PersonalPageHandler = async (visit) => {
  const { api, siteUrl, page: readPage } = visit;
  const page = readPage();
  const { code, reward, summary, invitations } = await api.getReferral({ query: { page, limit: PAGE_SIZE } });
  const pages = Math.ceil(summary.invited / PAGE_SIZE);
  if (page > 1 && invitations.length === 0) return { redirectTo: listPath(pages) };
  const link = `${siteUrl}/convite/${code}`;
  const shareText = `Compre nas lojas do bairro e pague por semana, com PIX. Com o meu convite, você ganha ${inReais(reward.invited)} de cashback.`;
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
            <button class="button" type="button" data-share={shareText} data-share-link={link} hidden>
              <Share /> Compartilhar
            </button>
            <button class="button quiet" type="button" data-copy="link" hidden>
              Copiar link
            </button>
            <a
              class="button quiet"
              href={`https://wa.me/?text=${encodeURIComponent(`${shareText} ${link}`)}`}
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
          {invitations.map(({ name, status, invited_at, reward: earned }) => (
            <li key={name + invited_at} class="card row">
              <div class="row-text">
                <h3 class="card-title">{name}</h3>
                <p class="row-foot">
                  <span class={`status ${STATUS_TEXTS[status].tone}`}>{STATUS_TEXTS[status].text}</span>
                  <span class="muted">{longDate(invited_at)}</span>
                </p>
              </div>
              {earned > 0 && (
                <p class="row-amount">
                  <span class="amount plus">+ {inReais(earned)}</span>
                </p>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState icon={<People />} title="Ninguém usou o seu convite ainda.">
          <p>Envie o link para quem compra nas lojas do bairro.</p>
        </EmptyState>
      )}
      <Pagination page={page} pages={pages} href={listPath} />
    </WalletPage>
  );
};
