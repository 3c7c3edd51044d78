import type { components } from '#client';
import { getTitleForCustomer } from '#core/values/message-titles.ts';
import type { StaffSchemas } from '#staff-client';
import { defineSessionForm, redirectWithNote } from '../server/form.ts';
import { PageNotFound } from '../server/personal-routes.ts';
import type { FormHandler, PersonalPageHandler, PersonalVisit } from '../server/visit.ts';
import { formatShortTime, keepAmountsTogether } from '../text/format.ts';
import { CHANNEL_LABELS } from '../text/labels.ts';
import { QuietLink, Submit } from '../ui/buttons.tsx';
import { EmptyState, Pagination, Panel, Row } from '../ui/components.tsx';
import { PostForm } from '../ui/forms.tsx';
import { Bell } from '../ui/icons.tsx';
import { buildPagePath, WalletPage } from './layout.tsx';

type Channel = components['schemas']['Preferences']['channels'][number];

const INBOX_PATH = '/carteira/avisos';
const PREFERENCES_PATH = `${INBOX_PATH}/como`;
const CRUMBS = [{ href: '/carteira/perfil', text: 'Perfil' }];

const CHANNEL_TEXTS: Record<Channel, string> = { ...CHANNEL_LABELS, push: 'Notificação neste aparelho' };

/** Channels that need no subscription of a browser. */
const BASIC_CHANNELS: Channel[] = ['whatsapp', 'sms', 'email'];

const buildListPath = (page: number) => buildPagePath(INBOX_PATH, page);
/** Removes the prefix with the name of the service, and PIX codes, which are on the page of the installment. */
const toDisplayText = (text: string) =>
  keepAmountsTogether(text.replace(/^Semana: /, '').replace(/\n?Pix copia e cola.*?: \S+/, ''));

const inboxPage: PersonalPageHandler = async (visit) => {
  const { pageNumber: page } = visit;
  const { data, pagination } = await visit.api.listWalletMessages({ query: { page, limit: 20 } });
  if (page > 1 && data.length === 0) return { redirectTo: buildListPath(pagination.pages) };
  return (
    <WalletPage
      title="Avisos"
      tab="perfil"
      crumbs={CRUMBS}
      lead="Tudo o que contamos a você, com o canal e a hora."
    >
      <p class="actions inbox-actions">
        <QuietLink href={PREFERENCES_PATH}>Escolher como receber</QuietLink>
      </p>
      {data.length > 0 ? (
        <ul class="rows">
          {data.map(({ id, template, channel, text, sent_at }) => (
            <Row key={id} level={2} title={getTitleForCustomer(template)}>
              <p class="message-text">{toDisplayText(text)}</p>
              <p class="muted">
                {formatShortTime(sent_at)}
                {channel && ` · ${CHANNEL_TEXTS[channel]}`}
              </p>
            </Row>
          ))}
        </ul>
      ) : (
        <EmptyState icon={<Bell />} title="Ainda não há avisos.">
          <p>Lembretes de parcelas e comprovantes aparecem aqui.</p>
        </EmptyState>
      )}
      <Pagination page={page} pages={pagination.pages} buildHref={buildListPath} />
    </WalletPage>
  );
};

const Checkbox = (props: { name: string; isOn: boolean; text: string; hint: string }) => (
  <div class="field check">
    <input type="checkbox" id={props.name} name={props.name} value="sim" checked={props.isOn} />
    <label for={props.name}>
      {props.text} <small class="muted">{props.hint}</small>
    </label>
  </div>
);

const preferencesPage: PersonalPageHandler = async (visit) => {
  const [{ channels, reminders_before_due, news }, { public_key, browsers }] = await Promise.all([
    visit.api.getPreferences(),
    visit.api.getPush(),
  ]);
  const availableChannels: Channel[] = browsers > 0 ? [...BASIC_CHANNELS, 'push'] : BASIC_CHANNELS;
  const preferredChannel = channels.find((channel) => availableChannels.includes(channel));
  return (
    <WalletPage
      title="Como receber avisos"
      tab="perfil"
      crumbs={[...CRUMBS, { href: INBOX_PATH, text: 'Avisos' }]}
      wrapperClass="form-column"
    >
      <PostForm action={PREFERENCES_PATH}>
        <fieldset class="choices">
          <legend>Primeiro por</legend>
          {availableChannels.map((channel) => (
            <div key={channel} class="field check">
              <input
                type="radio"
                id={`canal-${channel}`}
                name="canal"
                value={channel}
                checked={channel === preferredChannel}
              />
              <label for={`canal-${channel}`}>{CHANNEL_TEXTS[channel]}</label>
            </div>
          ))}
        </fieldset>
        <p class="hint">Se esse canal não funcionar, tentamos os outros.</p>
        <Checkbox
          name="antes"
          isOn={reminders_before_due}
          text="Lembrar um dia antes do vencimento."
          hint="No dia e em atraso avisamos sempre."
        />
        <Checkbox name="novidades" isOn={news} text="Receber novidades e ofertas da Semana." hint="" />
        <Submit class="wide">Salvar</Submit>
      </PostForm>
      <PushPrompt publicKey={public_key} />
      <PushUnsubscribeForm browserCount={browsers} />
    </WalletPage>
  );
};

const SUBSCRIBE_PATH = '/carteira/avisos/aparelho';
const UNSUBSCRIBE_PATH = `${SUBSCRIBE_PATH}/desligar`;

/** Invites to subscribe this browser. Rendered hidden: browser/push.ts shows it if the browser supports Web Push. */
export const PushPrompt = ({ publicKey }: { publicKey: string | null }) =>
  publicKey === null ? null : (
    <Panel
      id="aparelho-titulo"
      title={[<Bell key="icon" />, ' Avisos neste aparelho']}
      class="panel spaced"
      attributes={{ 'data-push': publicKey, hidden: true }}
    >
      <p>Lembramos um dia antes de cada vencimento, com uma notificação. Dá para desligar quando quiser.</p>
      <PostForm action={SUBSCRIBE_PATH}>
        <input type="hidden" name="aparelho" value="" />
        <p class="actions">
          <Submit class="quiet">Ativar avisos neste aparelho</Submit>
        </p>
        <p class="hint" role="status" data-failed hidden>
          O navegador não conseguiu ativar as notificações agora.
        </p>
      </PostForm>
    </Panel>
  );

/** Unsubscribes all browsers of the customer, so that it works without scripts. */
const PushUnsubscribeForm = ({ browserCount }: { browserCount: number }) =>
  browserCount === 0 ? null : (
    <PostForm action={UNSUBSCRIBE_PATH} class="spaced">
      <p class="hint">
        As notificações estão ligadas em {browserCount === 1 ? 'um aparelho' : `${browserCount} aparelhos`}.
      </p>
      <Submit class="quiet">Desligar as notificações</Submit>
    </PostForm>
  );

/** Makes push the first or the last of the customer's channels. */
async function setPushPriority({ api }: Pick<PersonalVisit, 'api'>, position: 'first' | 'last') {
  const { channels } = await api.getPreferences();
  const otherChannels = channels.filter((channel) => channel !== 'push');
  await api.setPreferences({
    body: { channels: position === 'first' ? ['push', ...otherChannels] : [...otherChannels, 'push'] },
  });
}

export const MESSAGE_PAGES: Record<string, PersonalPageHandler> = {
  [INBOX_PATH]: inboxPage,
  [PREFERENCES_PATH]: preferencesPage,
};
export const MESSAGE_FORMS: Record<string, FormHandler> = {
  [PREFERENCES_PATH]: defineSessionForm(PREFERENCES_PATH, async ({ api }, form) => {
    const { channels } = await api.getPreferences();
    const preferredChannel = form.readText('canal') as Channel;
    const channelOrder =
      preferredChannel in CHANNEL_TEXTS
        ? [preferredChannel, ...channels.filter((channel) => channel !== preferredChannel)]
        : channels;
    const body = {
      channels: channelOrder,
      reminders_before_due: form.readText('antes') === 'sim',
      news: form.readText('novidades') === 'sim',
    };
    await api.setPreferences({ body });
    return redirectWithNote(INBOX_PATH, 'Pronto: guardamos a sua escolha.');
  }),
  [SUBSCRIBE_PATH]: defineSessionForm(PREFERENCES_PATH, async (visit, form) => {
    await visit.api.addPush({ body: JSON.parse(form.readText('aparelho') || '{}') });
    await setPushPriority(visit, 'first');
    return redirectWithNote(PREFERENCES_PATH, 'Pronto: os avisos chegam também neste aparelho.');
  }),
  [UNSUBSCRIBE_PATH]: defineSessionForm(PREFERENCES_PATH, async (visit) => {
    await visit.api.endPush();
    await setPushPriority(visit, 'last');
    return redirectWithNote(PREFERENCES_PATH, 'As notificações estão desligadas.');
  }),
};

function groupChannelsByText(template: StaffSchemas['MessageTemplate']) {
  const channelsByText = new Map<string, string[]>();
  for (const [channel, name] of Object.entries(CHANNEL_LABELS)) {
    const text = template[channel as keyof typeof CHANNEL_LABELS];
    if (text !== null) channelsByText.set(text, [...(channelsByText.get(text) ?? []), name]);
  }
  return [...channelsByText].map(([text, names]) => ({ channels: names.join(', '), text }));
}

/** Shows every message template with example data, as each channel sends it. Only in the sandbox. */
export const templatesPage: PersonalPageHandler = async (visit) => {
  if (!visit.sandbox) throw new PageNotFound();
  const { data: templates } = await visit.sandbox.staff.listMessageTemplates({ query: { limit: 100 } });
  return (
    <WalletPage
      title="Textos das mensagens"
      lead="Tudo o que a Semana diz a clientes e lojas, com dados de exemplo, como cada canal mostra."
    >
      <ul class="rows">
        {templates.map((template) => (
          <Row key={template.name} level={2} title={template.subject}>
            <p class="muted">
              {template.title} · <code>{template.name}</code>
              {template.legal && ' · não pode ser desligada'}
            </p>
            {groupChannelsByText(template).map(({ channels, text }) => (
              <figure key={channels} class="message-sample">
                <figcaption class="muted">{channels}</figcaption>
                <p class="message-text">{keepAmountsTogether(text)}</p>
              </figure>
            ))}
          </Row>
        ))}
      </ul>
    </WalletPage>
  );
};
