// Runs in the browser, as it is: no build step, nothing from elsewhere.
const at = (id) => document.getElementById(id);
const reais = (value) => Number(value).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' });
let txid = null;

async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: {
      'x-api-key': at('key').value,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  const faults = (answer.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`);
  throw new Error([answer.detail, ...faults].join('\n'));
}

/** Runs it, and tells how it went in that place of the page. */
function telling(place, work) {
  return (event) => {
    event?.preventDefault();
    at(place).value = '…';
    work().then(
      (said) => {
        at(place).value = said ?? '';
      },
      (error) => {
        at(place).value = error.message;
      },
    );
  };
}

function describe(list, pairs) {
  list.replaceChildren(
    ...pairs.flatMap(([name, value]) => {
      const term = document.createElement('dt');
      const meaning = document.createElement('dd');
      term.textContent = name;
      meaning.textContent = value;
      return [term, meaning];
    }),
  );
  list.hidden = false;
}

async function showCharge() {
  const charge = await call('POST', '/sandbox/psp/scan', { br_code: at('code').value.trim() });
  txid = charge.txid;
  describe(at('charge'), [
    ['Amount', reais(charge.value)],
    ['Receiver', `${charge.receiver.name}, ${charge.receiver.city}`],
    ['Key', charge.receiver.key],
    ['Note', charge.note ?? '–'],
    ['Payable until', new Date(charge.expires_at).toLocaleString()],
    ['Status', charge.payable ? charge.status : `${charge.status}, cannot be paid`],
    ['txid', charge.txid],
  ]);
  at('value').value = '';
  at('value').placeholder = charge.value.toFixed(2).replace('.', ',');
  at('part').value = '';
  for (const form of ['pay', 'reverse']) at(form).hidden = false;
}

const scan = telling('said', () => {
  for (const shown of ['charge', 'pay', 'reverse']) at(shown).hidden = true;
  return showCharge();
});

const pay = telling('said', async () => {
  const value = at('value').value;
  const paid = await call('POST', `/sandbox/pix/${txid}/pay`, {
    ...(value !== '' && { value: Number(value) }),
    ...(at('force').checked && { force: true }),
  });
  await showCharge();
  setTimeout(() => void refresh(), 500);
  return `Paid ${reais(paid.value)} at ${new Date(paid.paid_at).toLocaleString()}\n${paid.end_to_end_id}`;
});

const reverse = telling('said', async () => {
  const part = at('part').value;
  const back = await call('POST', `/sandbox/pix/${txid}/reverse`, part === '' ? {} : { value: Number(part) });
  await showCharge();
  setTimeout(() => void refresh(), 500);
  return `Taken back ${reais(back.value)}, refund ${back.refund_id}`;
});

const CHOICES = {
  notify: ['normal', 'twice', 'late', 'never', 'shuffled'],
  refund: ['normal', 'stuck', 'fails'],
  debits: ['paid', 'no_money', 'cap', 'silent'],
  payments: ['normal', 'missing', 'object', 'zero_beside', 'unreadable_beside'],
  txid: ['normal', 'missing', 'capitals'],
  pix_list: ['normal', 'empty', 'unfiltered', 'short_pages'],
  pix_lookup: ['normal', 'refused'],
  amounts: ['normal', 'short'],
  timestamps: ['normal', 'no_fraction', 'no_zone', 'spaced'],
  end_to_end_id: ['normal', 'reused'],
  notice_format: ['normal', 'gzip', 'array', 'object', 'no_content_type', 'trailing_slash'],
};

function showFaults(faults) {
  at('dials').replaceChildren(
    ...Object.entries(faults).map(([name, value]) => {
      const label = document.createElement('label');
      label.textContent = `${name} `;
      const dial = document.createElement(CHOICES[name] ? 'select' : 'input');
      for (const choice of CHOICES[name] ?? []) dial.add(new Option(choice, choice));
      if (!CHOICES[name]) Object.assign(dial, { type: 'number', step: 'any' });
      Object.assign(dial, { name, value });
      label.append(dial);
      return label;
    }),
  );
}

const setFaults = (faults) =>
  telling('faults-said', async () => {
    showFaults(await call('PUT', '/sandbox/psp/faults', faults()));
    return 'In force on every node.';
  });

function dialled() {
  const fields = [...new FormData(at('faults'))];
  return Object.fromEntries(fields.map(([name, value]) => [name, CHOICES[name] ? value : Number(value)]));
}

async function refresh() {
  const { data } = await call('GET', '/sandbox/psp/deliveries');
  at('deliveries').replaceChildren(
    ...data.map(({ created_at, state, attempts, last_outcome, pix }) => {
      const row = document.createElement('tr');
      const refund = pix.devolucoes ? `, ${pix.devolucoes.length} refund(s)` : '';
      const about = `${pix.txid ?? '–'} ${reais(pix.valor)}${refund}`;
      for (const text of [
        new Date(created_at).toLocaleTimeString(),
        state,
        attempts,
        last_outcome ?? '–',
        about,
      ])
        row.insertCell().textContent = text;
      return row;
    }),
  );
}

at('scan').addEventListener('submit', scan);
at('pay').addEventListener('submit', pay);
at('reverse').addEventListener('submit', reverse);
at('faults').addEventListener('submit', (event) => setFaults(dialled)(event));
at('calm').addEventListener('click', (event) => setFaults(() => ({}))(event));
at('refresh').addEventListener('click', telling('notices-said', refresh));

telling('faults-said', async () => {
  showFaults(await call('GET', '/sandbox/psp/faults'));
  await refresh();
})();
