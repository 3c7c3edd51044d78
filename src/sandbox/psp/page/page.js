// Runs in the browser without a build step and without dependencies.
const element = (id) => document.getElementById(id);
const reais = (value) => Number(value).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' });
let txid = null;

async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: {
      'x-api-key': element('key').value,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const content = await response.json();
  if (response.ok) return content;
  const errors = (content.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`);
  throw new Error([content.detail, ...errors].join('\n'));
}

/** Returns an event listener that runs `work`, and shows its result or error in an output element. */
function withOutput(outputId, work) {
  return (event) => {
    event?.preventDefault();
    element(outputId).value = '…';
    work().then(
      (message) => {
        element(outputId).value = message ?? '';
      },
      (error) => {
        element(outputId).value = error.message;
      },
    );
  };
}

function showPairs(list, pairs) {
  list.replaceChildren(
    ...pairs.flatMap(([name, value]) => {
      const term = document.createElement('dt');
      const description = document.createElement('dd');
      term.textContent = name;
      description.textContent = value;
      return [term, description];
    }),
  );
  list.hidden = false;
}

async function showCharge() {
  const charge = await call('POST', '/sandbox/psp/scan', { br_code: element('code').value.trim() });
  txid = charge.txid;
  showPairs(element('charge'), [
    ['Amount', reais(charge.value)],
    ['Receiver', `${charge.receiver.name}, ${charge.receiver.city}`],
    ['Key', charge.receiver.key],
    ['Note', charge.note ?? '–'],
    ['Payable until', new Date(charge.expires_at).toLocaleString()],
    ['Status', charge.payable ? charge.status : `${charge.status}, cannot be paid`],
    ['txid', charge.txid],
  ]);
  element('value').value = '';
  element('value').placeholder = charge.value.toFixed(2).replace('.', ',');
  element('chargeback-value').value = '';
  for (const id of ['pay', 'reverse']) element(id).hidden = false;
}

const scan = withOutput('charge-output', () => {
  for (const id of ['charge', 'pay', 'reverse']) element(id).hidden = true;
  return showCharge();
});

const pay = withOutput('charge-output', async () => {
  const value = element('value').value;
  const paid = await call('POST', `/sandbox/pix/${txid}/pay`, {
    ...(value !== '' && { value: Number(value) }),
    ...(element('force').checked && { force: true }),
  });
  await showCharge();
  return `Paid ${reais(paid.value)} at ${new Date(paid.paid_at).toLocaleString()}\n${paid.end_to_end_id}`;
});

const reverse = withOutput('charge-output', async () => {
  const value = element('chargeback-value').value;
  const reversal = await call(
    'POST',
    `/sandbox/pix/${txid}/reverse`,
    value === '' ? {} : { value: Number(value) },
  );
  await showCharge();
  return `Charged back ${reais(reversal.value)}, refund ${reversal.refund_id}`;
});

/** The values of the faults that have a fixed set of them. The server writes them into the page. */
const CHOICES = JSON.parse(element('faults').dataset.choices);

function showFaults(faults) {
  element('fault-fields').replaceChildren(
    ...Object.entries(faults).map(([name, value]) => {
      const label = document.createElement('label');
      label.textContent = `${name} `;
      const field = document.createElement(CHOICES[name] ? 'select' : 'input');
      for (const choice of CHOICES[name] ?? []) field.add(new Option(choice, choice));
      if (!CHOICES[name]) Object.assign(field, { type: 'number', step: 'any' });
      Object.assign(field, { name, value });
      label.append(field);
      return label;
    }),
  );
}

const setFaults = (faults) =>
  withOutput('faults-output', async () => {
    showFaults(await call('PUT', '/sandbox/psp/faults', faults()));
    return 'Active on all nodes.';
  });

function readFaults() {
  const fields = [...new FormData(element('faults'))];
  return Object.fromEntries(fields.map(([name, value]) => [name, CHOICES[name] ? value : Number(value)]));
}

element('scan').addEventListener('submit', scan);
element('pay').addEventListener('submit', pay);
element('reverse').addEventListener('submit', reverse);
element('faults').addEventListener('submit', (event) => setFaults(readFaults)(event));
element('clear-faults').addEventListener('click', (event) => setFaults(() => ({}))(event));

withOutput('faults-output', async () => {
  showFaults(await call('GET', '/sandbox/psp/faults'));
})();
