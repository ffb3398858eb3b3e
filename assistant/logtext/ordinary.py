"""What stands in the logs of every healthy job, so that finding it says nothing.

A search for many expressions looks for a telling part of each (patterns/factor.py). A part
of these lines, the heads of records and the words of their messages, is none.
"""

from __future__ import annotations

TEXT = b"""
2026-11-30 08:03:57,170 - mindformers./output/log[mindformers/pynative/callback/loss_callback.py:3
] - INFO - { step:[    1/   10], consumed_samples: 4, global_batch_size: 4, loss:  10.007473, \
per_step_time:   3621ms, lr: 2.500000e-06, grad_norm:   1.210000, throughput:   0.28T }
{ Epoch:[  1/  2], step:[    1/   19], loss:[10.649/10.649], per_step_time: 103328ms, lr: 0.0, \
overflow cond: False, loss_scale: 1.0, global_norm: [1.31], train_throughput_per_npu: 1.0T }
loss: N/A (non-last PP stage, refer to last stage for real loss), grad_norm: NaN }
[WARNING] DISTRIBUTED(9003,7f4bfffff6c0,python):2026-11-30-08:03:56.741.532 \
[mindspore/ccsrc/include/cluster/rpc/libevent_tcp_server.h:51] TcpConnection] message, rank: 0
[INFO] HCCL(9003,python3):2026-11-30-08:03:56.741.532 [op_base.cc:1204] [9003]Entry-AllReduce: \
tag[AllReduce_192.0.2.10_0], sendBuf[0x12c1], recvBuf[0x12c2], count[4], streamId[29], rank[3]
[INFO] GE(9003,python3):2026-11-30-08:03:56.741.532 [graph_manager.cc:2711] [9003]StartForRunGraph
[INFO] RUNTIME(9003,python3): [stream.cc:1133] SubmitTask: stream_id=0, task_id=1, task_type=0
[INFO] DEVICE(9003,7f4bfffff6c0,python): [mindspore/ccsrc/plugin/ascend/res_manager/mem.cc:2] \
Allocate device memory, address, Launch kernel Default/MatMul-op0, kernel name, success, node, \
version config from model dataset train context group init device_id /usr/local/lib/python3.11/
"""
