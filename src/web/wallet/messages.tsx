import type { components } from '#client';
import { ownForm, told } from '../server/form.ts';
import type { Form, MakePersonalPage } from '../server/visit.ts';
import { shortTime, whole } from '../text/format.ts';
import { QuietLink, Submit } from '../ui/buttons.tsx';
import { Bell } from '../ui/icons.tsx';
import { Empty, Pagination } from '../ui/parts.tsx';
import { PostForm } from '../ui/personal-parts.tsx';
import { WalletPage } from './layout.tsx';
import { PUSH_FORMS, PushEnd, PushOffer } from './push.tsx';

type Channel = components['schemas']['Preferences']['channels'][number];

const INBOX = '/carteira/avisos';
const CHOICE = `${INBOX}/como`;
const CRUMBS = [{ href: '/carteira/perfil', text: 'Perfil' }];

const TITLES: Record<string, string> = {
  offer: 'Oferta de uma loja',
  offer_accepted: 'Compra aceita',
  reminder: 'Lembrete de parcela',
  payment_received: 'Pagamento recebido',
  extended: 'Parcela prorrogada',
  returned: 'Devolução',
  autopay_failed: 'Débito automático',
  cashback_expiring: 'Cashback a expirar',
  password_changed: 'Nova senha',
  phone_changed: 'Troca de celular',
  new_session: 'Nova entrada na conta',
  credit_answer: 'Resposta sobre o seu crédito',
};
const CHANNELS: Record<Channel, string> = {
  whatsapp: 'WhatsApp',
  sms: 'SMS',
  email: 'E-mail',
  push: 'Notificação neste aparelho',
};

const ALWAYS: Channel[] = ['whatsapp', 'sms', 'email'];

const address = (page: number) => (page > 1 ? `${INBOX}?pagina=${page}` : INBOX);
/** The name of the service begins every message; here everybody knows it. PIX codes are on the installment’s page. */
const shown = (text: string) =>
  whole(text.replace(/^Semana: /, '').replace(/\n?Pix copia e cola.*?: \S+/, ''));

/** What the customer was told. */
const inboxPage: MakePersonalPage = async (visit) => {
  const page = visit.page();
  const { data, pagination } = await visit.api.listWalletMessages({ query: { page, limit: 20 } });
  if (page > 1 && data.length === 0) return { to: address(pagination.pages) };
  return (
    <WalletPage
      title="Avisos"
      visit={visit}
      tab="perfil"
      crumbs={CRUMBS}
      lead="Tudo o que contamos a você, com o canal e a hora."
    >
      <p class="actions inbox-actions">
        <QuietLink to={CHOICE}>Escolher como receber</QuietLink>
      </p>
      {data.length > 0 ? (
        <ul class="rows">
          {data.map(({ id, template, channel, text, sent_at }) => (
            <li key={id} class="card row">
              <div class="row-text">
                <h2 class="card-title">{TITLES[template] ?? 'Aviso'}</h2>
                <p class="told">{shown(text)}</p>
                <p class="muted">
                  {shortTime(sent_at)}
                  {channel && ` · ${CHANNELS[channel]}`}
                </p>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <Empty icon={<Bell />} title="Ainda não há avisos.">
          <p>Lembretes de parcelas e comprovantes aparecem aqui.</p>
        </Empty>
      )}
      <Pagination page={page} pages={pagination.pages} href={address} />
    </WalletPage>
  );
};

const Check = (props: { name: string; isOn: boolean; text: string; hint: string }) => (
  <div class="field check">
    <input type="checkbox" id={props.name} name={props.name} value="sim" checked={props.isOn} />
    <label for={props.name}>
      {props.text} <small class="muted">{props.hint}</small>
    </label>
  </div>
);

/** How the customer wants to be told. */
const preferencesPage: MakePersonalPage = async (visit) => {
  const [{ channels, reminders_before_due, news }, { public_key, browsers }] = await Promise.all([
    visit.api.getPreferences(),
    visit.api.getPush(),
  ]);
  const offered: Channel[] = browsers > 0 ? [...ALWAYS, 'push'] : ALWAYS;
  const first = channels.find((channel) => offered.includes(channel));
  return (
    <WalletPage
      title="Como receber avisos"
      visit={visit}
      tab="perfil"
      crumbs={[...CRUMBS, { href: INBOX, text: 'Avisos' }]}
      wrap="door"
    >
      <PostForm visit={visit} action={CHOICE}>
        <fieldset class="choices">
          <legend>Primeiro por</legend>
          {offered.map((channel) => (
            <div key={channel} class="field check">
              <input
                type="radio"
                id={`canal-${channel}`}
                name="canal"
                value={channel}
                checked={channel === first}
              />
              <label for={`canal-${channel}`}>{CHANNELS[channel]}</label>
            </div>
          ))}
        </fieldset>
        <p class="hint">Se esse canal não funcionar, tentamos os outros.</p>
        <Check
          name="antes"
          isOn={reminders_before_due}
          text="Lembrar um dia antes do vencimento."
          hint="No dia e em atraso avisamos sempre."
        />
        <Check name="novidades" isOn={news} text="Receber novidades e ofertas da Semana." hint="" />
        <Submit wide>Salvar</Submit>
      </PostForm>
      <PushOffer visit={visit} publicKey={public_key} />
      <PushEnd visit={visit} browsers={browsers} />
    </WalletPage>
  );
};

export const MESSAGE_PAGES: Record<string, MakePersonalPage> = {
  [INBOX]: inboxPage,
  [CHOICE]: preferencesPage,
};
export const MESSAGE_FORMS: Record<string, Form> = {
  [CHOICE]: ownForm(CHOICE, async ({ api }, sent) => {
    const { channels } = await api.getPreferences();
    const first = sent.text('canal') as Channel;
    const order = first in CHANNELS ? [first, ...channels.filter((one) => one !== first)] : channels;
    const body = {
      channels: order,
      reminders_before_due: sent.text('antes') === 'sim',
      news: sent.text('novidades') === 'sim',
    };
    await api.setPreferences({ body });
    return told(INBOX, 'Pronto: guardamos a sua escolha.');
  }),
  ...PUSH_FORMS,
};
