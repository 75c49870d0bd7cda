"""Reads measurement files of ASAM MDF 4.1 as semirec's tests need them: sorted groups, numbers of 64 bits, one DT block.

Written from the tables of the format, apart from the writer: every block is checked for what the format says of it.
"""
import struct
import xml.etree.ElementTree

import numpy


class Block:
    """A block: identification, links, and the bytes behind them."""

    def __init__(self, data, at, kind):
        assert at % 8 == 0 and at + 24 <= len(data), (at, kind)
        name, reserved, length, links = struct.unpack_from("<4sIQQ", data, at)
        assert name == b"##" + kind.encode() and reserved == 0, (name, kind)
        assert length >= 24 + 8 * links, (length, links)
        self.at, self.length = at, length
        self.links = struct.unpack_from(f"<{links}Q", data, at + 24)
        self.body = data[at + 24 + 8 * links:at + length]


def text_of(data, at, kinds=("TX",)):
    """The text of a TX or MD block; '' where the link is nil."""
    if at == 0:
        return ""
    block = Block(data, at, data[at + 2:at + 4].decode())
    assert data[at + 2:at + 4].decode() in kinds and not block.links
    assert b"\0" in block.body
    return block.body.split(b"\0", 1)[0].decode("utf-8")


class Channel:
    def __init__(self, data, at, record):
        block = Block(data, at, "CN")
        following, composition, name, source, conversion, signal, unit, comment = block.links
        assert composition == source == conversion == signal == 0
        self.following = following
        self.name, self.unit = text_of(data, name), text_of(data, unit)
        self.comment = text_of(data, comment, ("TX", "MD"))
        (self.type, self.sync, number, bit, self.offset, bits, flags) = struct.unpack_from("<4B3I", block.body)
        assert (number, bit, bits, flags) == (4, 0, 64, 0), "a number of 64 bits, lowest byte first"
        assert len(block.body) == 72 and self.offset + 8 <= record


class Mf4:
    """A file. `finalise`: what a tool does that finds the marks: length and count by the size of the file."""

    def __init__(self, path, finalise=False):
        with open(path, "rb") as file:
            data = file.read()
        self.finalised = data[:8] == b"MDF     "
        assert self.finalised or data[:8] == b"UnFinMF "
        assert data[8:16] == b"4.10    " and struct.unpack_from("<H", data, 28)[0] == 410
        self.flags, custom = struct.unpack_from("<2H", data, 60)
        assert custom == 0 and (self.flags == 0) == self.finalised
        header = Block(data, 64, "HD")
        assert header.length == 104
        group, history, *others, comment = header.links
        assert others == [0, 0, 0]
        self.started, = struct.unpack_from("<Q", header.body)
        self.title = text_of(data, comment, ("TX", "MD"))
        past = Block(data, history, "FH")
        assert past.length == 56 and past.links[0] == 0
        tool = xml.etree.ElementTree.fromstring(text_of(data, past.links[1], ("MD",)))
        assert tool.tag == "FHcomment" and [part.tag for part in tool] == ["TX", "tool_id", "tool_vendor", "tool_version"]
        self.tool = {part.tag: part.text for part in tool}

        block = Block(data, group, "DG")
        assert block.length == 64 and block.links[0] == 0 and block.body[0] == 0, "one group, sorted"
        channels = Block(data, block.links[1], "CG")
        assert channels.length == 104 and channels.links[0] == 0
        _, count, flags, _, _, record, invalidation = struct.unpack("<QQHHIII", channels.body)
        assert flags == 0 and invalidation == 0
        self.channels = []
        at = channels.links[1]
        while at:
            self.channels.append(Channel(data, at, record))
            at = self.channels[-1].following
        assert [c.type for c in self.channels] == [2] + [0] * (len(self.channels) - 1), "the first is the master"
        assert self.channels[0].sync == 1, "of time"
        assert [c.offset for c in self.channels] == list(range(0, record, 8))

        place = block.links[2]
        if finalise and not self.finalised:
            rows = (len(data) - place - 24) // record
        else:
            values = Block(data, place, "DT")
            assert not values.links and place + values.length <= len(data)
            rows = (values.length - 24) // record
            # the two numbers are written one after the other: a count may be that of the flush before
            assert (rows == count and len(values.body) % record == 0) if self.finalised else count <= rows
        self.rows = numpy.frombuffer(data, "<f8", rows * record // 8, place + 24).reshape(rows, record // 8)
