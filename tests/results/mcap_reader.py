"""Reads MCAP files as semirec's tests need them, record by record, and checks every CRC, index and count.

Written from the format's specification, apart from the writer. A file without its end is read as far as it goes.
"""
import json
import struct
import zlib

MAGIC = b"\x89MCAP0\r\n"
HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX = range(1, 9)
STATISTICS, SUMMARY_OFFSET, DATA_END = 0x0B, 0x0E, 0x0F


class Fields:
    """The fields of a record, one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    def bytes(self, form="I"):
        length = self.take(form)
        assert self.at + length <= len(self.data)
        self.at += length
        return self.data[self.at - length:self.at]

    def text(self):
        return self.bytes().decode("utf-8")

    def pairs(self, form):
        return list(struct.iter_unpack("<" + form, self.bytes()))

    def end(self):
        assert self.at == len(self.data)


def records(data, at, end):
    """Place, type and content of the records that are there whole."""
    while at + 9 <= end:
        kind, length = struct.unpack_from("<BQ", data, at)
        if at + 9 + length > end:
            return
        yield at, kind, data[at + 9:at + 9 + length]
        at += 9 + length


class Mcap:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        assert data[:8] == MAGIC
        self.schemas, self.channels, self.messages = {}, {}, []
        self.complete = data[-8:] == MAGIC and len(data) > 8 + 37
        chunks, indexes, waiting, summary = [], {}, None, []
        data_end = None
        counts = {}
        for at, kind, content in records(data, 8, len(data) - (8 if self.complete else 0)):
            fields = Fields(content)
            if data_end is not None:
                summary.append((at, kind, content))
            elif kind == HEADER:
                assert at == 8 and fields.text() == ""
                self.library = fields.text()
            elif kind == SCHEMA:
                self.add_schema(fields)
            elif kind == CHANNEL:
                self.add_channel(fields)
            elif kind == CHUNK:
                assert not waiting, "message indexes of the chunk before"
                chunks.append(at)
                indexes[at] = {}
                waiting = self.read_chunk(fields, counts)
            elif kind == MESSAGE_INDEX:
                channel = fields.take("H")
                assert fields.pairs("QQ") == waiting.pop(channel)
                fields.end()
                indexes[chunks[-1]][channel] = at
            else:
                assert kind == DATA_END, kind
                assert not waiting
                assert zlib.crc32(data[:at]) == fields.take("I")
                data_end = at
        if self.complete:
            self.check_summary(data, summary, chunks, indexes, counts)

    def add_schema(self, fields):
        number = fields.take("H")
        name, encoding, schema = fields.text(), fields.text(), fields.text()
        fields.end()
        assert number > 0 and encoding == "jsonschema"
        self.schemas[number] = (name, json.loads(schema))

    def add_channel(self, fields):
        number, schema = fields.take("HH")
        topic, encoding = fields.text(), fields.text()
        assert fields.bytes() == b"", "no metadata"
        fields.end()
        assert encoding == "json" and schema in self.schemas
        self.channels[number] = (topic, schema)

    def read_chunk(self, fields, counts):
        first, last, size, crc = fields.take("QQQI")
        assert fields.text() == ""
        inside = fields.bytes("Q")
        fields.end()
        assert len(inside) == size and zlib.crc32(inside) == crc
        places, times = {}, []
        for at, kind, content in records(inside, 0, len(inside)):
            message = Fields(content)
            assert kind == MESSAGE
            channel, sequence, time, published = message.take("HIQQ")
            assert sequence == counts.get(channel, 0) and time == published and channel in self.channels
            counts[channel] = sequence + 1
            places.setdefault(channel, []).append((time, at))
            times.append(time)
            end = at + 9 + len(content)
            self.messages.append((self.channels[channel][0], time, json.loads(content[message.at:])))
        assert end == len(inside) and (first, last) == (min(times), max(times))
        return places

    def check_summary(self, data, summary, chunks, indexes, counts):
        schemas, channels = dict(self.schemas), dict(self.channels)
        self.schemas, self.channels = {}, {}
        groups = {}
        chunk_indexes = []
        for at, kind, content in summary:
            fields = Fields(content)
            if kind not in (SUMMARY_OFFSET, FOOTER):
                begin, end = groups.get(kind, (at, at))
                assert end == at, "records of a kind lie together"
                groups[kind] = (begin, at + 9 + len(content))
            if kind == SCHEMA:
                self.add_schema(fields)
            elif kind == CHANNEL:
                self.add_channel(fields)
            elif kind == STATISTICS:
                messages, schema_count, channel_count, attachments, metadata, chunk_count, first, last = fields.take("QHIIIIQQ")
                assert messages == len(self.messages) and schema_count == len(schemas) and channel_count == len(channels)
                assert attachments == metadata == 0 and chunk_count == len(chunks)
                times = [time for _, time, _ in self.messages] or [0]
                assert (first, last) == (min(times), max(times))
                assert dict(fields.pairs("HQ")) == {c: counts.get(c, 0) for c in channels}
                fields.end()
            elif kind == CHUNK_INDEX:
                _, _, begin, length = fields.take("QQQQ")
                assert data[begin] == CHUNK and struct.unpack_from("<Q", data, begin + 1)[0] + 9 == length
                offsets = dict(fields.pairs("HQ"))
                assert offsets == indexes[begin]
                total, compression, packed, plain = fields.take("Q"), fields.text(), *fields.take("QQ")
                assert compression == "" and packed == plain
                assert data[begin + length + total] in (CHUNK, DATA_END)
                chunk_indexes.append(begin)
            elif kind == SUMMARY_OFFSET:
                group, begin, length = fields.take("BQQ")
                assert groups.pop(group) == (begin, begin + length)
            else:
                assert kind == FOOTER
                start, offsets, crc = fields.take("QQI")
                assert start == summary[0][0] and zlib.crc32(data[start:at + 9 + 16]) == crc
                assert offsets == min(a for a, k, _ in summary if k == SUMMARY_OFFSET)
        assert not groups and chunk_indexes == chunks
        assert (self.schemas, self.channels) == (schemas, channels)

    def columns(self):
        """Numbers by `topic path`, as a table of semirec names its columns; of messages that hold numbers."""
        table = {}

        def put(path, value):
            if isinstance(value, list):
                for k, entry in enumerate(value):
                    put(f"{path}[{k}]", entry)
            else:
                table.setdefault(path, []).append(value)

        for topic, _, message in self.messages:
            if "transforms" in message or "entities" in message:
                continue
            for field, value in message.items():
                put("time" if (topic, field) == ("/time", "value") else f"{topic[1:]}.{field}", value)
        return table
