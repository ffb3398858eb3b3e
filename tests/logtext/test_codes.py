"""Error codes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.logtext import codes


@pytest.mark.parametrize(("text", "found"), [
    ("EI0006: Getting socket times out. Reason: 1.", ("EI0006",)),
    ("[PID: 749] 2025-12-29-03:16:15.787.356 Get_Socket_Timeout(EI0006): Getting", ("EI0006",)),
    ("EZ9999[PID: 1] 2025-12-29-03:16:15.787.356 (EZ9999): x", ("EZ9999",)),
    ("[rank0]: EE9999: Inner Error!", ("EE9999",)),
    ("E19999: Inner Error!", ("E19999",)),
    ("RuntimeError: ({'errCode': 'E80000', 'op_name': 'x'})", ("E80000",)),
    ("(PID:9436, Device:0, RankID:-1) ERR00100 PTA call acl api failed", ("ERR00100",)),
    ("Call rt api rtStreamSynchronize failed, ret: 507011", ("507011",)),
    ("retcode: 507011 ( model execute failed)", ("507011",)),
    ("size[32212254720], ret[207001], Device 6", ("207001",)),
    ("rtStreamSynchronize:ErrCode=507011, desc=[x], InnerCode=0x7150050", ("507011",)),
    ("NPU error, error code is 107020.", ("107020",)),
    ("NPU warning, error code is 507035[Error]:", ("507035",)),
    ("wait for compute device to finish failed, runtime result = 507035.[FUNC:R]", ("507035",)),
    ("Stress detection failed with error code: 574007", ("574007",)),
    ("errorCode is 507015", ("507015",)),
    ("call trace: ret -> 507018", ("507018",)),
    ("Call aclInit(nullptr) failed : 507008 at file /paddle/runtime.cc line 390", ("507008",)),
    ("[ERROR] aclrtSetDevice(deviceId) failed: 507033 (/home/user/main.cpp:72)", ("507033",)),
    ("CANN failure 500002: ACL_ERROR_GE_FAILURE ; NPU=0", ("500002",)),
    ("EI0002 then EI0006 then EI0002", ("EI0002", "EI0006")),
    ("[ERROR] Event id=0x80c78008", ("0x80C78008",)),
    ("[ERROR] event_id:  [0x80fa4e00]", ("0x80FA4E00",)),
    ("Node Type=0x63; event_id=0x80C78008, assertion=1", ("0x80C78008",)),
    ("Event ID: 0X80CD8008.", ("0x80CD8008",)),
    ('"faultCode": "0x80e18402"', ("0x80E18402",)),
    ("the fault code is 0x80c98008", ("0x80C98008",)),
    ("WE0001: the operator runs on the host", ("WE0001",)),
    ("[WARNING] GE(1,python): W40010: The operator is compiled again", ("W40010",)),
    # no codes
    ("W0726 02:00:13.29 77 a.py:5] W8A8 W123456 WHILE12", ()),
    ("retCode=0x91 devId=0, drvRetCode=6!", ()),
    ("error code is 7", ()),
    ("allocation failed: 123456 bytes, failed 200000, failed to write 234567", ()),
    ("tid: 248807, device_id: 0", ()),
    ("[PID: 507011] task 507011", ()),
    ("size 507011 bytes", ()),
    ("error code is 5070111", ()),
    ("0xE12345 addrE12345 E1234 E123456", ()),
    ("errorCode=0x80c78008 addr=0x80fa4e00 0x80C78008", ()),
    ("event_id: [0x80c7800] event_id: [0x80c780081] Event id=80c78008", ()),
    ("event 0x80c78008, prevent_id=0x80c78008", ()),
    ("", ()),
])
def test_wrappings(text: str, found: tuple[str, ...]) -> None:
    assert codes.find(text) == found


@given(st.text())
def test_never_raises_and_each_once(text: str) -> None:
    found = codes.find(text)
    assert len(set(found)) == len(found)
    assert all(code.casefold() in text.casefold() for code in found)


@given(st.from_regex(r"E[A-Z0-9][0-9]{4}", fullmatch=True), st.text("abc .,:([", max_size=9),
       st.text(" .,:)][", max_size=9))
def test_any_wrapping(code: str, before: str, after: str) -> None:
    text = f"{before} {code}{after} x"
    assert codes.find(text) == (code,)


@pytest.mark.parametrize(("found", "general"), [
    (("EE9999",), True), (("EZ9999", "507011"), True), (("E39999", "EE9999"), True),
    (("EE9999", "EI0006"), False), (("507011",), False), ((), False),
])
def test_general_codes(found: tuple[str, ...], general: bool) -> None:
    assert codes.are_general(found) is general
