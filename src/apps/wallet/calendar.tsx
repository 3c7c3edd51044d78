import type { Output } from '#client';
import { addDays, type Day, saoPauloDay, weekday } from '#core/values/day.ts';
import { defineSessionForm, redirectWithNote } from '../server/form.ts';
import { type FormHandler, type PersonalPageHandler, useVisit } from '../server/visit.ts';
import {
  formatDayAndMonth,
  formatLongDate,
  formatReais,
  formatShortDay,
  pluralize,
  sumReais,
} from '../text/format.ts';
import { LinkButton } from '../ui/buttons.tsx';
import { EmptyState, Panel } from '../ui/components.tsx';
import { ButtonForm, CopyField } from '../ui/forms.tsx';
import { Calendar } from '../ui/icons.tsx';
import { buildInstallmentPath } from './installment-timeline.tsx';
import { WalletPage } from './layout.tsx';

type CalendarEntry = Output<'getCalendar'>['data'][number];

const CALENDAR_PATH = '/carteira/calendario';
/** Monday (segunda-feira) to Sunday (domingo). */
const WEEKDAY_LETTERS = ['S', 'T', 'Q', 'Q', 'S', 'S', 'D'];
/** Returns the Monday of the day's week; `weekday` returns 0 for Sunday. */
const toMonday = (day: Day): Day => addDays(day, -((weekday(day) + 6) % 7));
const sumOutstanding = (entries: readonly CalendarEntry[]) =>
  sumReais(...entries.map(({ outstanding }) => outstanding));

export const calendarPage: PersonalPageHandler = async (visit) => {
  const { data, feed } = await visit.api.getCalendar();
  const today = saoPauloDay(visit.now.getTime());
  const weeks = [...Map.groupBy(data, ({ due_on }) => toMonday(due_on as Day))].toSorted(([a], [b]) =>
    a.localeCompare(b),
  );
  return (
    <WalletPage
      title="Calendário"
      tab="inicio"
      crumbs={[{ href: '/carteira', text: 'Início' }]}
      lead={
        data.length > 0
          ? `${pluralize(data.length, 'parcela', 'parcelas')} em ${pluralize(weeks.length, 'semana', 'semanas')}: ${formatReais(sumOutstanding(data))}.`
          : undefined
      }
    >
      {weeks.length === 0 && (
        <EmptyState icon={<Calendar />} title="Nada a vencer.">
          <p>As parcelas das suas compras aparecem aqui, semana por semana.</p>
        </EmptyState>
      )}
      <ol class="due-weeks">
        {weeks.map(([monday, entries]) => (
          <Week key={monday} monday={monday} entries={entries} today={today} />
        ))}
      </ol>
      <FeedPanel createdAt={feed?.created_at} />
    </WalletPage>
  );
};

function Week({ monday, entries, today }: { monday: Day; entries: CalendarEntry[]; today: Day }) {
  const days = WEEKDAY_LETTERS.map((letter, i) => ({ letter, day: addDays(monday, i) }));
  const isCurrentWeek = toMonday(today) === monday;
  return (
    <li class="panel due-week">
      <h2 class="due-title">
        <span>
          {isCurrentWeek
            ? 'Esta semana'
            : `${formatDayAndMonth(monday)} a ${formatDayAndMonth(addDays(monday, 6))}`}
        </span>
        <span class="amount">{formatReais(sumOutstanding(entries))}</span>
      </h2>
      <ol class="due-days" aria-hidden="true">
        {days.map(({ letter, day }) => (
          <li
            key={day}
            class={[entries.some(({ due_on }) => due_on === day) && 'has-due', day === today && 'is-today']
              .filter(Boolean)
              .join(' ')}
          >
            <small>{letter}</small>
            <b>{Number(day.slice(8))}</b>
          </li>
        ))}
      </ol>
      <ul class="due-list">
        {entries.map(({ number, of: installmentCount, ...entry }) => (
          <li key={entry.installment_id}>
            <span>
              <a href={buildInstallmentPath(entry.checkout_hash, number)}>{entry.merchant}</a>
              <small class="muted">
                {number}ª de {installmentCount} · {formatShortDay(entry.due_on)}
                {entry.effective_due_on < today && ' · em atraso'}
              </small>
            </span>
            <span class="amount">{formatReais(entry.outstanding)}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** The secret address of the feed is shown only once, right after its creation. */
function FeedPanel({ createdAt }: { createdAt: string | undefined }) {
  const url = useVisit().flash?.values?.url;
  return (
    <Panel
      id="assinar"
      title={[<Calendar key="icon" />, ' No calendário do seu celular']}
      class="panel spaced"
    >
      {url ? (
        <>
          <p>
            Abra no aplicativo de calendário, ou cole o endereço no Google Agenda (Outras agendas, Do URL).
          </p>
          <CopyField id="agenda" label="Endereço secreto: aparece só agora" value={url} />
          <p class="actions">
            <LinkButton href={url.replace(/^https?:/, 'webcal:')}>Abrir no calendário</LinkButton>
            <button class="button quiet" type="button" data-copy="agenda" hidden>
              Copiar endereço
            </button>
          </p>
        </>
      ) : (
        <p>
          {createdAt
            ? `Há um endereço criado em ${formatLongDate(createdAt)}. Se o perdeu ou se alguém mais o tem, crie outro: o antigo deixa de valer.`
            : 'Um endereço secreto mostra os vencimentos no calendário que você já usa, e se atualiza sozinho.'}
        </p>
      )}
      <div class="actions">
        {!url && (
          <ButtonForm
            action={`${CALENDAR_PATH}/endereco`}
            text={createdAt ? 'Criar outro endereço' : 'Criar endereço'}
            variant="quiet"
          />
        )}
        {(createdAt || url) && (
          <ButtonForm action={`${CALENDAR_PATH}/desligar`} text="Desligar" variant="quiet" />
        )}
      </div>
      <p class="hint">Quem tem o endereço vê lojas, números de parcelas e valores, e nada mais.</p>
    </Panel>
  );
}

export const CALENDAR_FORMS: Record<string, FormHandler> = {
  [`${CALENDAR_PATH}/endereco`]: defineSessionForm(CALENDAR_PATH, async ({ api, pagePath }) => {
    const { url } = await api.makeCalendarFeed();
    return { redirectTo: `${pagePath}#assinar`, flash: { pagePath, values: { url } } };
  }),
  [`${CALENDAR_PATH}/desligar`]: defineSessionForm(CALENDAR_PATH, async ({ api, pagePath }) => {
    await api.endCalendarFeed();
    return redirectWithNote(pagePath, 'O endereço do calendário não vale mais.');
  }),
};
