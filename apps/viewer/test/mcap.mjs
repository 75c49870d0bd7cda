// Results in MCAP as Foxglove's own library reads them.
//   node test/mcap.mjs SEMIREC [WORK]     WORK: the folder with node_modules
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const [semirec, work = '.'] = process.argv.slice(2);
const { McapIndexedReader, McapStreamReader } = createRequire(join(resolve(work), 'package.json'))('@mcap/core');
const source = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'semirec_mcap_'));
const text = new TextDecoder();
const run = (name, ...more) => ['run', 'vehicles/models/sedan.xml', 'vehicles/scenarios/step_steer.xml', '--format', 'mcap,csv', '--out', join(folder, name), ...more];

/** Numbers of results.csv by column. */
function table(name) {
  const [names, , ...rows] = readFileSync(join(folder, name, 'results.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
  return Object.fromEntries(names.map((column, k) => [column, rows.map((row) => Number(row[k]))]));
}

/** By the summary and its indexes, every chunk's CRC checked: what a run to its end leaves. */
async function whole() {
  execFileSync(semirec, run('whole', '--until', '1'), { cwd: source });
  const bytes = readFileSync(join(folder, 'whole', 'results.mcap'));
  const readable = { size: async () => BigInt(bytes.length), read: async (at, size) => bytes.subarray(Number(at), Number(at + size)) };
  const reader = await McapIndexedReader.Initialize({ readable });
  const expected = table('whole');
  const topics = new Map([...reader.channelsById.values()].map((channel) => [channel.topic, channel]));
  const count = reader.statistics.channelMessageCounts;
  // a road without heights is not drawn
  for (const channel of topics.values()) assert.equal(count.get(channel.id), BigInt(channel.topic === '/road' ? 0 : expected.time.length), channel.topic);
  const schema = reader.schemasById.get(topics.get('/tf').schemaId);
  assert.deepEqual([schema.name, schema.encoding], ['foxglove.FrameTransforms', 'jsonschema']);
  const found = { ay: [], z: [], time: [], chassis: [] };
  let last = 0n;
  for await (const message of reader.readMessages({ validateCrcs: true, topics: ['/chassis', '/time', '/tf', '/chassis_joint'] })) {
    assert.ok(message.logTime >= last);
    last = message.logTime;
    const { topic } = reader.channelsById.get(message.channelId);
    const values = JSON.parse(text.decode(message.data));
    if (topic === '/chassis') found.ay.push(values.ay);
    if (topic === '/chassis_joint') found.z.push(values.z?.[5]);
    if (topic === '/time') found.time.push(values.value);
    if (topic === '/tf') found.chassis.push(values.transforms.find((one) => one.child_frame_id === 'chassis'));
  }
  // 12 digits of the CSV
  const digits = (numbers) => numbers.map((number) => Number(number.toPrecision(12)));
  assert.deepEqual(digits(found.ay), expected['chassis.ay']);
  assert.deepEqual(digits(found.time), expected.time);
  if (expected['chassis_joint.z[5]']) assert.deepEqual(digits(found.z), expected['chassis_joint.z[5]']);
  assert.equal(found.chassis.length, expected.time.length);
  console.log(`a run to its end: ${reader.statistics.messageCount} messages on ${topics.size} topics`);
}

/** Record by record: what a killed run leaves. */
async function killed() {
  const file = join(folder, 'killed', 'results.mcap');
  const car = spawn(semirec, run('killed', '--until', '100000'), { cwd: source, stdio: 'ignore' });
  const over = once(car, 'exit');
  while (!existsSync(file) || statSync(file).size < 5e6) await wait(10);
  car.kill('SIGKILL');
  await over;
  const reader = new McapStreamReader({ validateCrcs: true });
  reader.append(readFileSync(file));
  const rows = {};
  const topics = new Map();
  for (let record; (record = reader.nextRecord()); ) {
    if (record.type === 'Channel') topics.set(record.id, record.topic);
    if (record.type === 'Message') (rows[topics.get(record.channelId)] ??= []).push(JSON.parse(text.decode(record.data)));
  }
  assert.ok(!reader.done());
  const { time } = table('killed');
  const length = Math.min(time.length, rows['/time'].length);
  assert.ok(length > 50);
  assert.deepEqual(rows['/time'].slice(0, length).map(({ value }) => Number(value.toPrecision(12))), time.slice(0, length));
  console.log(`a killed run: ${rows['/time'].length} rows`);
}

try {
  await whole();
  await killed();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
