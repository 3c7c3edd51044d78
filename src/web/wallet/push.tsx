import { ownForm, told } from '../server/form.ts';
import type { Form, PersonalVisit } from '../server/visit.ts';
import { Submit } from '../ui/buttons.tsx';
import { Bell } from '../ui/icons.tsx';
import { PostForm } from '../ui/personal-parts.tsx';

const CHOICE = '/carteira/avisos/como';
const ON = '/carteira/avisos/aparelho';
const OFF = `${ON}/desligar`;

/** Offered where the browser can do it, which only the script knows. */
export const PushOffer = ({ visit, publicKey }: { visit: PersonalVisit; publicKey: string | null }) =>
  publicKey === null ? null : (
    <section class="panel spaced" aria-labelledby="aparelho-titulo" data-push={publicKey} hidden>
      <h2 class="panel-title" id="aparelho-titulo">
        <Bell /> Avisos neste aparelho
      </h2>
      <p>Lembramos um dia antes de cada vencimento, com uma notificação. Dá para desligar quando quiser.</p>
      <PostForm visit={visit} action={ON}>
        <input type="hidden" name="aparelho" value="" />
        <p class="actions">
          <Submit quiet>Ativar avisos neste aparelho</Submit>
        </p>
        <p class="hint" role="status" data-failed hidden>
          O navegador não conseguiu ativar as notificações agora.
        </p>
      </PostForm>
    </section>
  );

/** For every browser at once, so that it needs no script. */
export const PushEnd = ({ visit, browsers }: { visit: PersonalVisit; browsers: number }) =>
  browsers === 0 ? null : (
    <PostForm visit={visit} action={OFF} class="spaced">
      <p class="hint">
        As notificações estão ligadas em {browsers === 1 ? 'um aparelho' : `${browsers} aparelhos`}.
      </p>
      <Submit quiet>Desligar as notificações</Submit>
    </PostForm>
  );

/** Who wants to be told by the device is told there first. */
async function prefer({ api }: Pick<PersonalVisit, 'api'>, isFirst: boolean): Promise<void> {
  const { channels } = await api.getPreferences();
  const others = channels.filter((one) => one !== 'push');
  await api.setPreferences({ body: { channels: isFirst ? ['push', ...others] : [...others, 'push'] } });
}

export const PUSH_FORMS: Record<string, Form> = {
  [ON]: ownForm(CHOICE, async (visit, sent) => {
    await visit.api.addPush({ body: JSON.parse(sent.text('aparelho') || '{}') });
    await prefer(visit, true);
    return told(CHOICE, 'Pronto: os avisos chegam também neste aparelho.');
  }),
  [OFF]: ownForm(CHOICE, async (visit) => {
    await visit.api.endPush();
    await prefer(visit, false);
    return told(CHOICE, 'As notificações estão desligadas.');
  }),
};
