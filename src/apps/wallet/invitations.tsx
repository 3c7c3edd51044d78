import type { components } from '#client';
import type { PersonalPageHandler } from '../server/visit.ts';
import { inReais, longDate, plural } from '../text/format.ts';
import { EmptyState, Line, Pagination, Panel, Row, Status, type StatusText } from '../ui/components.tsx';
import { People, Share } from '../ui/icons.tsx';
import { CopyField } from '../ui/personal-components.tsx';
import { WalletPage } from './layout.tsx';

const PAGE_SIZE = 20;
const listPath = (page: number) => (page > 1 ? `/carteira/convites?pagina=${page}` : '/carteira/convites');

type Invitation = components['schemas']['Referral']['invitations'][number];

const STATUS_TEXTS: Record<Invitation['status'], StatusText> = {
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
          <CopyField id="link" label="Link do convite" value={link} />
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
            <Row key={name + invited_at} title={name} amount={earned > 0 && `+ ${inReais(earned)}`} isGain>
              <p class="row-foot">
                <Status {...STATUS_TEXTS[status]} />
                <span class="muted">{longDate(invited_at)}</span>
              </p>
            </Row>
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
