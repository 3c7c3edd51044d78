import type { Output } from '#client';
import { addDays, type Day, saoPauloDay, weekday } from '#core/day.ts';
import { ownForm, told } from '../server/form.ts';
import type { Form, MakePersonalPage, PersonalVisit } from '../server/visit.ts';
import { inReais, longDate, plural, shortDay } from '../text/format.ts';
import { LinkButton } from '../ui/buttons.tsx';
import { Calendar } from '../ui/icons.tsx';
import { Empty, Panel } from '../ui/parts.tsx';
import { ButtonForm } from '../ui/personal-parts.tsx';
import { WalletPage } from './layout.tsx';

type CalendarEntry = Output<'getCalendar'>['data'][number];

const CALENDAR_PATH = '/carteira/calendario';
const LETTERS = ['S', 'T', 'Q', 'Q', 'S', 'S', 'D'];
const mondayOf = (of: Day): Day => addDays(of, -((weekday(of) + 6) % 7));
/** `9 de nov` */
const dateOf = (of: Day) => shortDay(of).replace(/^.*?, /, '');
const sumOf = (due: readonly CalendarEntry[]) =>
  due.reduce((sum, { outstanding }) => sum + Math.round(outstanding * 100), 0) / 100;

/** What falls due, week by week, and the address for other calendars. */
export const calendarPage: MakePersonalPage = async (visit) => {
  const { data, feed } = await visit.api.getCalendar();
  const today = saoPauloDay(visit.now.getTime());
  const weeks = [...Map.groupBy(data, ({ due_on }) => mondayOf(due_on as Day))].toSorted(([a], [b]) =>
    a.localeCompare(b),
  );
  return (
    <WalletPage
      title="Calendário"
      visit={visit}
      tab="inicio"
      crumbs={[{ href: '/carteira', text: 'Início' }]}
      lead={
        data.length > 0
          ? `${plural(data.length, 'parcela', 'parcelas')} em ${plural(weeks.length, 'semana', 'semanas')}: ${inReais(sumOf(data))}.`
          : undefined
      }
    >
      {weeks.length === 0 && (
        <Empty icon={<Calendar />} title="Nada a vencer.">
          <p>As parcelas das suas compras aparecem aqui, semana por semana.</p>
        </Empty>
      )}
      <ol class="due-weeks">
        {weeks.map(([monday, due]) => (
          <Week key={monday} monday={monday} due={due} today={today} />
        ))}
      </ol>
      <FeedPanel visit={visit} since={feed?.created_at} />
    </WalletPage>
  );
};

function Week({ monday, due, today }: { monday: Day; due: CalendarEntry[]; today: Day }) {
  const days = LETTERS.map((letter, i) => ({ letter, on: addDays(monday, i) }));
  const isThis = mondayOf(today) === monday;
  return (
    <li class="panel due-week">
      <h2 class="due-title">
        <span>{isThis ? 'Esta semana' : `${dateOf(monday)} a ${dateOf(addDays(monday, 6))}`}</span>
        <span class="amount">{inReais(sumOf(due))}</span>
      </h2>
      <ol class="due-days" aria-hidden="true">
        {days.map(({ letter, on }) => (
          <li
            key={on}
            class={[due.some(({ due_on }) => due_on === on) && 'has-due', on === today && 'is-today']
              .filter(Boolean)
              .join(' ')}
          >
            <small>{letter}</small>
            <b>{Number(on.slice(8))}</b>
          </li>
        ))}
      </ol>
      <ul class="due-list">
        {due.map((entry) => (
          <li key={entry.installment_id}>
            <span>
              <a href={`/carteira/compras/${entry.checkout_hash}/${entry.number}`}>{entry.merchant}</a>
              <small class="muted">
                {entry.number}ª de {entry.of} · {shortDay(entry.due_on)}
                {entry.effective_due_on < today && ' · em atraso'}
              </small>
            </span>
            <span class="amount">{inReais(entry.outstanding)}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** The address is shown once, right after it was made. */
function FeedPanel({ visit, since }: { visit: PersonalVisit; since: string | undefined }) {
  const url = visit.flash?.values?.url;
  return (
    <Panel
      id="assinar"
      title={
        <>
          <Calendar /> No calendário do seu celular
        </>
      }
      class="panel spaced"
    >
      {url ? (
        <>
          <p>
            Abra no aplicativo de calendário, ou cole o endereço no Google Agenda (Outras agendas, Do URL).
          </p>
          <div class="field">
            <label for="agenda">Endereço secreto: aparece só agora</label>
            <input id="agenda" readOnly value={url} />
          </div>
          <p class="actions">
            <LinkButton to={url.replace(/^https?:/, 'webcal:')}>Abrir no calendário</LinkButton>
            <button class="button quiet" type="button" data-copy="agenda" hidden>
              Copiar endereço
            </button>
          </p>
        </>
      ) : (
        <p>
          {since
            ? `Há um endereço criado em ${longDate(since)}. Se o perdeu ou se alguém mais o tem, crie outro: o antigo deixa de valer.`
            : 'Um endereço secreto mostra os vencimentos no calendário que você já usa, e se atualiza sozinho.'}
        </p>
      )}
      <div class="actions">
        {!url && (
          <ButtonForm
            visit={visit}
            action={`${CALENDAR_PATH}/endereco`}
            text={since ? 'Criar outro endereço' : 'Criar endereço'}
            quiet
          />
        )}
        {(since || url) && (
          <ButtonForm visit={visit} action={`${CALENDAR_PATH}/desligar`} text="Desligar" quiet />
        )}
      </div>
      <p class="hint">Quem tem o endereço vê lojas, números de parcelas e valores, e nada mais.</p>
    </Panel>
  );
}

export const CALENDAR_FORMS: Record<string, Form> = {
  [`${CALENDAR_PATH}/endereco`]: ownForm(CALENDAR_PATH, async ({ api, page }) => {
    const { url } = await api.makeCalendarFeed();
    return { to: `${page}#assinar`, flash: { page, values: { url } } };
  }),
  [`${CALENDAR_PATH}/desligar`]: ownForm(CALENDAR_PATH, async ({ api, page }) => {
    await api.endCalendarFeed();
    return told(page, 'O endereço do calendário não vale mais.');
  }),
};
