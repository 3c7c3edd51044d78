import { autopay } from '#credit';
import { messagesService } from '#messages';
import { defineModule } from '#module';
import { pixService } from '#pix';
import { noticeHandlers, prepareAcceptance } from './handlers.ts';
import { catchUpNotices, NOTICES_CRON, noticeTasks } from './jobs.ts';
import { prepareReminder } from './reminders.ts';
import { noticesSettings } from './settings.ts';

export const noticesModule = defineModule({
  name: 'notices',
  settings: noticesSettings,
  handlers: () => noticeHandlers,
  open(deps) {
    const { db, clock, log, settings } = deps;
    const reminding = {
      db,
      clock,
      log,
      steps: settings.steps,
      pix: deps.find(pixService)!,
      findAutopay: deps.find(autopay)!,
    };
    const messages = deps.find(messagesService)!;
    messages.prepare('reminder', prepareReminder(reminding));
    messages.prepare('offer_accepted', prepareAcceptance(db));
    clock.onMove?.(() => void catchUpNotices(deps));
    return { tasks: noticeTasks(reminding), cron: NOTICES_CRON };
  },
});
