// Runs in the browser without a build step and without dependencies.
const getElement = (id) => document.getElementById(id);
const formatReais = (value) => Number(value).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' });
let scannedTxid = null;

async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: {
      'x-api-key': getElement('key').value,
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
    getElement(outputId).value = '…';
    work().then(
      (message) => {
        getElement(outputId).value = message ?? '';
      },
      (error) => {
        getElement(outputId).value = error.message;
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
  const charge = await call('POST', '/sandbox/psp/scan', { br_code: getElement('code').value.trim() });
  scannedTxid = charge.txid;
  showPairs(getElement('charge'), [
    ['Amount', formatReais(charge.value)],
    ['Receiver', `${charge.receiver.name}, ${charge.receiver.city}`],
    ['Key', charge.receiver.key],
    ['Note', charge.note ?? '–'],
    ['Payable until', new Date(charge.expires_at).toLocaleString()],
    ['Status', charge.payable ? charge.status : `${charge.status}, cannot be paid`],
    ['txid', charge.txid],
  ]);
  getElement('value').value = '';
  getElement('value').placeholder = charge.value.toFixed(2).replace('.', ',');
  getElement('chargeback-value').value = '';
  for (const id of ['pay', 'reverse']) getElement(id).hidden = false;
}

const scan = withOutput('charge-output', () => {
  for (const id of ['charge', 'pay', 'reverse']) getElement(id).hidden = true;
  return showCharge();
});

const pay = withOutput('charge-output', async () => {
  const value = getElement('value').value;
  const payment = await call('POST', `/sandbox/pix/${scannedTxid}/pay`, {
    ...(value !== '' && { value: Number(value) }),
    ...(getElement('force').checked && { force: true }),
  });
  await showCharge();
  return `Paid ${formatReais(payment.value)} at ${new Date(payment.paid_at).toLocaleString()}\n${payment.end_to_end_id}`;
});

const reverse = withOutput('charge-output', async () => {
  const value = getElement('chargeback-value').value;
  const reversal = await call(
    'POST',
    `/sandbox/pix/${scannedTxid}/reverse`,
    value === '' ? {} : { value: Number(value) },
  );
  await showCharge();
  return `Charged back ${formatReais(reversal.value)}, refund ${reversal.refund_id}`;
});

/** The allowed values of each fault that is a choice. The server writes them into the page. */
const CHOICES = JSON.parse(getElement('faults').dataset.choices);

function showFaults(faults) {
  getElement('fault-fields').replaceChildren(
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

const createFaultSetter = (getFaults) =>
  withOutput('faults-output', async () => {
    showFaults(await call('PUT', '/sandbox/psp/faults', getFaults()));
    return 'Active on all nodes.';
  });

function readFaults() {
  const fields = [...new FormData(getElement('faults'))];
  return Object.fromEntries(fields.map(([name, value]) => [name, CHOICES[name] ? value : Number(value)]));
}

getElement('scan').addEventListener('submit', scan);
getElement('pay').addEventListener('submit', pay);
getElement('reverse').addEventListener('submit', reverse);
getElement('faults').addEventListener('submit', createFaultSetter(readFaults));
const chooseNoFaults = () => ({});
getElement('clear-faults').addEventListener('click', createFaultSetter(chooseNoFaults));

withOutput('faults-output', async () => {
  showFaults(await call('GET', '/sandbox/psp/faults'));
})();
