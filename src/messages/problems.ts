import { defineProblem } from '#platform/problem.ts';

export const MESSAGE_NOT_FOUND = {
  en: 'No message to a customer has this id.',
  pt: 'Nenhuma mensagem a um cliente tem este id.',
};

export const messageInProgress = defineProblem({
  code: 'message_under_way',
  status: 409,
  title: { en: 'The message is still being sent', pt: 'A mensagem ainda está sendo enviada' },
  cause: 'The message is queued, or sending is retried automatically.',
  remedy: 'Wait until the message is sent or has failed.',
});

export const messageNotResendable = defineProblem({
  code: 'message_not_kept',
  status: 409,
  title: { en: 'The message cannot be sent again', pt: 'A mensagem não pode ser enviada de novo' },
  cause: 'The content of codes and offers is deleted after sending.',
  remedy: 'The customer can request another code, or the merchant can create another offer.',
});

export const messageNotSent = defineProblem({
  code: 'message_not_sent',
  status: 503,
  title: { en: 'The message was not sent', pt: 'A mensagem não foi enviada' },
  cause: 'The channel is not configured, or its provider refused the message or did not respond.',
  remedy: 'Look up the reason in the provider’s documentation, and check the settings of the channel.',
  detail: (reason: string) => ({
    en: `The message was not sent: ${reason}.`,
    pt: `A mensagem não foi enviada: ${reason}.`,
  }),
});

export const tooManyTestMessages = defineProblem({
  code: 'too_many_test_messages',
  status: 429,
  title: { en: 'Too many test messages', pt: 'Mensagens de teste demais' },
  cause: 'A staff user may send 20 test messages per hour.',
  remedy: 'Retry after the seconds in `Retry-After`.',
  detail: (seconds: string) => ({
    en: `Too many test messages. Retry in ${seconds} seconds.`,
    pt: `Mensagens de teste demais. Espere ${seconds} segundos.`,
    headers: { 'retry-after': seconds },
  }),
});

export const versionTaken = defineProblem({
  code: 'version_taken',
  status: 409,
  title: { en: 'The version is already published', pt: 'A versão já foi publicada' },
  cause: 'A published text cannot change, because customers have agreed to it.',
  remedy: 'Publish the text as another version.',
  detail: (version: string) => ({
    en: `Version ${version} is already published.`,
    pt: `A versão ${version} já foi publicada.`,
  }),
});
